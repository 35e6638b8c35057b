"""Benchmarks behind `landsraad bench service`: the cost of a durable act, compared with lower bounds measured in one
run.
"""
