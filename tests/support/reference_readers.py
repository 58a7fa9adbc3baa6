"""The four neural readers in NumPy, token by token and one problem at a time, from the equations of the papers.

Slow on purpose and without PyTorch: the readers of ``systems.neural.models`` are held against these functions. ``weights``
maps the names of a reader's parameters to arrays; a problem is a dict of the batch's fields without padding.
"""

import numpy as np


def sigmoid(x):
    return 1.0 / (1.0 + np.exp(-x))


def softmax(x):
    e = np.exp(np.array(x) - np.max(x))
    return e / e.sum()


def gru(weights, name, inputs):
    """h_t = (1 - z) n + z h, n = tanh(W x + b + r (U h + c)): the states after each input."""
    w, u = weights[f"{name}.weight_ih_l0"], weights[f"{name}.weight_hh_l0"]
    b, c = weights[f"{name}.bias_ih_l0"], weights[f"{name}.bias_hh_l0"]
    size = u.shape[1]
    w_r, w_z, w_n = (w[k * size : (k + 1) * size] for k in range(3))
    u_r, u_z, u_n = (u[k * size : (k + 1) * size] for k in range(3))
    b_r, b_z, b_n = (b[k * size : (k + 1) * size] for k in range(3))
    c_r, c_z, c_n = (c[k * size : (k + 1) * size] for k in range(3))
    h, states = np.zeros(size), []
    for x in inputs:
        r = sigmoid(w_r @ x + b_r + u_r @ h + c_r)
        z = sigmoid(w_z @ x + b_z + u_z @ h + c_z)
        n = np.tanh(w_n @ x + b_n + r * (u_n @ h + c_n))
        h = (1 - z) * n + z * h
        states.append(h)
    return states


def encode(weights, name, inputs):
    """For each input the forward state followed by the backward state, and the ends of the two directions."""
    ahead = gru(weights, f"{name}.ahead", inputs)
    back = gru(weights, f"{name}.back", inputs[::-1])[::-1]
    return [np.concatenate(pair) for pair in zip(ahead, back, strict=True)], np.concatenate([ahead[-1], back[0]])


def vectors(weights, ids):
    table = np.concatenate([weights["words.special"], weights["words.words"]])
    return [table[i] for i in ids]


def output_vectors(weights, problem):
    """The output vector of each choice: of its entity marker, or the projected mean of its words' vectors."""
    if "outputs.markers" in weights:
        return [weights["outputs.markers"][entity - 3] for entity in problem["choice_entities"]]
    means = [np.mean(vectors(weights, words), axis=0) for words in problem["choice_words"]]
    return [weights["outputs.project.weight"] @ mean for mean in means]


def sum_of_attention(scores, problem):
    """Kadlec et al. 2016, equation 2, normalised over the choices."""
    attention = softmax(scores)
    sums = [sum(attention[token] for token in tokens) for tokens in problem["mentions"]]
    return np.log(np.array(sums) / sum(sums))


def attentive(weights, problem, settings):
    """Hermann et al. 2015, section 3.2."""
    _, u = encode(weights, "question", vectors(weights, problem["question"]))
    y, _ = encode(weights, "passage", vectors(weights, problem["passage"]))
    w_ym, w_um, w_ms = (weights[f"{name}.weight"] for name in ("passage_match", "question_match", "match"))
    w_rg, w_ug = (weights[f"{name}.weight"] for name in ("passage_join", "question_join"))
    s = softmax([w_ms[0] @ np.tanh(w_ym @ y_t + w_um @ u) for y_t in y])
    r = sum(s_t * y_t for s_t, y_t in zip(s, y, strict=True))
    g = np.tanh(w_rg @ r + w_ug @ u)
    return np.log(softmax([w @ g for w in output_vectors(weights, problem)]))


def stanford(weights, problem, settings):
    """Chen, Bolton & Manning 2016, section 3.2."""
    _, q = encode(weights, "question", vectors(weights, problem["question"]))
    p, _ = encode(weights, "passage", vectors(weights, problem["passage"]))
    w_s = weights["attention.weight"].T
    alpha = softmax([q @ w_s @ p_i for p_i in p])
    o = sum(a * p_i for a, p_i in zip(alpha, p, strict=True))
    return np.log(softmax([w @ o for w in output_vectors(weights, problem)]))


def attention_sum(weights, problem, settings):
    """Kadlec et al. 2016, section 3.1."""
    _, g = encode(weights, "question", vectors(weights, problem["question"]))
    f, _ = encode(weights, "passage", vectors(weights, problem["passage"]))
    return sum_of_attention([f_i @ g for f_i in f], problem)


def characters(weights, spelling):
    """The character vector of a word (Dhingra et al. 2017, section 3.1.4)."""
    _, ends = encode(weights, "characters.encoder", [weights["characters.vectors.weight"][c] for c in spelling])
    return weights["characters.project.weight"] @ ends + weights["characters.project.bias"]


def gated_attention(weights, problem, settings):
    """Dhingra et al. 2017, section 3.1."""
    y, x = (vectors(weights, problem[name]) for name in ("question", "passage"))
    if settings.character_hidden:
        for tokens, spellings in ((y, problem["question_spellings"]), (x, problem["passage_spellings"])):
            tokens[:] = [np.concatenate([v, characters(weights, c)]) for v, c in zip(tokens, spellings, strict=True)]
    for k in range(settings.hops):
        if k == settings.hops - 1 and settings.in_question_feature:
            feature = weights["feature.weight"]
            x = [np.concatenate([v, feature[f]]) for v, f in zip(x, problem["in_question"], strict=True)]
        d, _ = encode(weights, f"passages.{k}", x)
        q, _ = encode(weights, f"questions.{k}", y)
        x = []
        for d_i in d:
            alpha = softmax([q_j @ d_i for q_j in q])
            x.append(d_i * sum(a * q_j for a, q_j in zip(alpha, q, strict=True)))
    return sum_of_attention([q[problem["blank"]] @ d_i for d_i in d], problem)
