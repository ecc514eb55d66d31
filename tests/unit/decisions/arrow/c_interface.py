"""The structures of Arrow's C interfaces, as C sees them."""

import ctypes
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_int, c_int64, c_void_p, cast


class Array(ctypes.Structure):
    pass


Array._fields_ = [
    ("length", c_int64),
    ("null_count", c_int64),
    ("offset", c_int64),
    ("n_buffers", c_int64),
    ("n_children", c_int64),
    ("buffers", POINTER(c_void_p)),
    ("children", POINTER(POINTER(Array))),
    ("dictionary", POINTER(Array)),
    ("release", c_void_p),
    ("private_data", c_void_p),
]


class Schema(ctypes.Structure):
    pass


Schema._fields_ = [
    ("format", c_char_p),
    ("name", c_char_p),
    ("metadata", c_void_p),
    ("flags", c_int64),
    ("n_children", c_int64),
    ("children", POINTER(POINTER(Schema))),
    ("dictionary", POINTER(Schema)),
    ("release", c_void_p),
    ("private_data", c_void_p),
]


class Stream(ctypes.Structure):
    _fields_ = [
        ("get_schema", CFUNCTYPE(c_int, c_void_p, c_void_p)),
        ("get_next", CFUNCTYPE(c_int, c_void_p, c_void_p)),
        ("get_last_error", CFUNCTYPE(c_char_p, c_void_p)),
        ("release", c_void_p),
        ("private_data", c_void_p),
    ]


def pointer(capsule, name, kind):
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = c_void_p, [ctypes.py_object, c_char_p]
    return cast(get(capsule, name), POINTER(kind)).contents


def take(structure):
    """Take a structure over: copy it, and mark the original as released."""
    copy = type(structure)()
    ctypes.pointer(copy)[0] = structure
    structure.release = None
    return copy


def release(structure):
    CFUNCTYPE(None, c_void_p)(structure.release)(ctypes.addressof(structure))
    assert structure.release is None


def open_stream(results):
    capsule = results.__arrow_c_stream__()
    return take(pointer(capsule, b"arrow_array_stream", Stream))


def next_array(stream):
    array = Array()
    assert stream.get_next(ctypes.addressof(stream), ctypes.addressof(array)) == 0
    assert stream.get_last_error(ctypes.addressof(stream)) is None
    return array


def schema_of(stream):
    schema = Schema()
    assert stream.get_schema(ctypes.addressof(stream), ctypes.addressof(schema)) == 0
    return schema


def doubles(array):
    return list(cast(array.buffers[1], POINTER(ctypes.c_double))[: array.length])
