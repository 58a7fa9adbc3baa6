"""The shipped int8 ONNX models that are not Stanza's, computed one sentence at a time in one thread.

Dynamic quantisation takes its scale from the whole input of a pass, so in a batch a sentence's result would depend on the
other sentences and the padding. Computed alone, it depends only on the sentence, and can be cached.
"""
