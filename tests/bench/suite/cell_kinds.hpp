#pragma once
// Cells that a program of the suite might have.

namespace plumbline::bench::test {

inline constexpr char kSomeCells[] = R"({"version": 1, "cells": [
  {"name": "halo", "summary": "a stencil", "least_ranks": 1, "files": false, "parameters": [
    {"name": "side", "default": 256, "least": 1, "most": 1000, "summary": "rows"},
    {"name": "steps", "default": 20, "least": 1, "most": 100, "summary": "how many"}]},
  {"name": "bcast", "summary": "MPI_Bcast", "least_ranks": 2, "files": false, "parameters": [
    {"name": "bytes", "default": 1024, "least": 0, "most": 16777216, "summary": "that are sent"}]},
  {"name": "strided", "summary": "a file", "least_ranks": 1, "files": true, "parameters": [
    {"name": "bytes", "default": 1024, "least": 8, "most": 16777216, "summary": "of a request"},
    {"name": "piece", "default": 512, "least": 4, "most": 16777216, "summary": "in turn"}]}]})";

}  // namespace plumbline::bench::test
