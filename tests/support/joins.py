"""The join of ``dedup`` in one process, as its steps do it."""

from wdw_build.similarity.bags import Bags, Vocabulary
from wdw_build.similarity.joins import greedy, joined, similar_pairs
from wdw_build.similarity.overlaps import PostingBlock, by_rarity, sort


def bags_of(every):
    """Bags of words in one collection."""
    made = Bags(Vocabulary())
    for bag in every:
        made.add(bag)
    return made


def duplicates(bags, threshold, order, parts=1):
    """Removed bag -> the kept bag that it nearly duplicates; the join runs in ``parts`` partitions."""
    ordered = sort(bags, by_rarity(bags))
    found = [similar_pairs(ordered, threshold, PostingBlock(number, parts)) for number in range(parts)]
    return greedy(joined(found), order)
