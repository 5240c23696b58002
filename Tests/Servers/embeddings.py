"""A server of OpenAI's /embeddings with the model all-MiniLM-L6-v2, in numpy: embeddings.py FOLDER PORT MODEL-FOLDER [KIND]

KIND: real, busy (refuses), short (returns too few vectors). Texts are logged in FOLDER/texts.jsonl.
"""

import json
import struct
import sys
import unicodedata
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy

FOLDER, PORT, MODEL = sys.argv[1], int(sys.argv[2]), sys.argv[3]
KIND = sys.argv[4] if len(sys.argv) > 4 else "real"


def weights(path):
    """The tensors of a safetensors file."""
    with open(path, "rb") as file:
        size = struct.unpack("<Q", file.read(8))[0]
        header = json.loads(file.read(size))
        data = file.read()
    return {name: numpy.frombuffer(data[entry["data_offsets"][0]:entry["data_offsets"][1]], numpy.float32).reshape(entry["shape"])
            for name, entry in header.items() if name != "__metadata__" and entry["dtype"] == "F32"}


TENSORS = weights(MODEL + "/model.safetensors")
with open(MODEL + "/vocab.txt", encoding="utf-8") as file:
    VOCABULARY = {line.rstrip("\n"): number for number, line in enumerate(file)}


def words(text):
    """The words and signs of a text, as BERT's basic tokenizer splits it."""
    text = "".join(c for c in unicodedata.normalize("NFD", text.lower()) if unicodedata.category(c) != "Mn")
    word, found = "", []
    for sign in text:
        kind = unicodedata.category(sign)
        if sign.isspace() or kind.startswith("C"):
            found.append(word)
            word = ""
        elif kind[0] in "PS":
            found += [word, sign]
            word = ""
        else:
            word += sign
    return [w for w in found + [word] if w]


def tokens(text):
    numbers = [VOCABULARY["[CLS]"]]
    for word in words(text):
        start, pieces = 0, []
        while start < len(word):
            for end in range(len(word), start, -1):
                piece = ("##" if start else "") + word[start:end]
                if piece in VOCABULARY:
                    pieces.append(VOCABULARY[piece])
                    start = end
                    break
            else:
                pieces = [VOCABULARY["[UNK]"]]
                break
        numbers += pieces
    return numbers[:255] + [VOCABULARY["[SEP]"]]


def dense(x, name):
    return x @ TENSORS[name + ".weight"].T + TENSORS[name + ".bias"]


def normal(x, name):
    centred = x - x.mean(-1, keepdims=True)
    return centred / numpy.sqrt((centred ** 2).mean(-1, keepdims=True) + 1e-12) * TENSORS[name + ".weight"] + TENSORS[name + ".bias"]


def gelu(x):
    # Abramowitz and Stegun 7.1.26, an error of 1.5e-7.
    z = numpy.abs(x) / numpy.sqrt(2)
    t = 1 / (1 + 0.3275911 * z)
    poly = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    return 0.5 * x * (1 + numpy.sign(x) * (1 - poly * numpy.exp(-z * z)))


def embedding(text):
    """The mean of the last layer's states, of length 1."""
    numbers = tokens(text)
    e = "embeddings."
    x = TENSORS[e + "word_embeddings.weight"][numbers] + TENSORS[e + "position_embeddings.weight"][:len(numbers)] \
        + TENSORS[e + "token_type_embeddings.weight"][0]
    x = normal(x, e + "LayerNorm")
    for layer in range(6):
        name = f"encoder.layer.{layer}."
        heads = [dense(x, name + "attention.self." + part).reshape(len(numbers), 12, 32).transpose(1, 0, 2)
                 for part in ("query", "key", "value")]
        scores = heads[0] @ heads[1].transpose(0, 2, 1) / numpy.sqrt(32)
        scores = numpy.exp(scores - scores.max(-1, keepdims=True))
        mixed = (scores / scores.sum(-1, keepdims=True)) @ heads[2]
        x = normal(x + dense(mixed.transpose(1, 0, 2).reshape(len(numbers), 384), name + "attention.output.dense"),
                   name + "attention.output.LayerNorm")
        x = normal(x + dense(gelu(dense(x, name + "intermediate.dense")), name + "output.dense"), name + "output.LayerNorm")
    mean = x.mean(0)
    return mean / numpy.linalg.norm(mean)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if KIND == "busy":
            return self.answer(503, {"error": {"message": "loading the model"}})
        with open(f"{FOLDER}/texts.jsonl", "a", encoding="utf-8") as log:
            for text in request["input"]:
                log.write(json.dumps(text) + "\n")
        found = [{"object": "embedding", "index": index, "embedding": [float(x) for x in embedding(text)]}
                 for index, text in enumerate(request["input"])]
        if KIND == "short":
            found = found[:-1]
        # The order is not that of the texts: clients go by the index.
        self.answer(200, {"object": "list", "data": found[::-1], "model": request["model"]})


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", PORT), Handler).serve_forever()
