"""The wire format: conversion between the messages of `landsraad.v1` and the types of the engine, both ways.

Start at `codec.codec_for(game)`. The server and the SDK are built on this package; nothing in it knows a rule.
"""
