"""Words for generated data: a few hundred real ones, which come often, and 25,000 invented ones, as rare as names, numbers
and other languages make the words of real text."""

import random
from itertools import accumulate

ONSETS = "b br c ch d dr f fl g gl h j k kl l m n p pr qu r s sch sk st t tr v w z".split()
VOWELS = "a e i o u ä ö ü au ei ie ou".split()
CODAS = ["", "", "n", "r", "s", "t", "l", "nd", "ng", "rk", "st", "x"]
FOREIGN = """größere Prüfung übermorgen naïve façade déjà señor mañana São ação Łódź źródło Žižkov příští Ørsted smørbrød
Ελλάδα σήμερα Москва встреча завтра 東京 会議 予定 서울 회의 اجتماع غدا פגישה कल बैठक""".split()
SIZE = 25_000


def invented(count, known):
    pick = random.Random("helix vocabulary")
    seen, words = set(known), []
    while len(words) < count:
        word = "".join(pick.choice(ONSETS) + pick.choice(VOWELS) for _ in range(pick.choice([1, 2, 2, 3, 3, 4]))) + pick.choice(CODAS)
        if word not in seen:
            seen.add(word)
            words.append(word)
    return words


def with_weights(words):
    """The words with the sums of their weights: the weight of a word falls with its rank (Zipf)."""
    return words, list(accumulate(1 / (rank + 6) for rank in range(len(words))))


def text(real):
    return with_weights(real + invented(SIZE, real))
