"""``hedgerow svm_learn``: learning with the flags and model files of SVM-light-TK."""

from __future__ import annotations

from typing import Annotated

import typer


def svm_learn(
    arguments: Annotated[
        list[str], typer.Argument(metavar="[FLAGS] EXAMPLE_FILE [MODEL_FILE]", show_default=False)
    ],
) -> None:
    """Learn with the flags of SVM-light-TK, and write one of its model files.

    Flags and values may be joined (`-t5`) or apart (`-t 5`). MODEL_FILE is svm_model by default.

    - **-z** c: classification by a support vector machine, o: online learning in one pass (c)
    - **-v** 0: print nothing (1)
    - **--spaces-in-leaves**: read (N New York) as one leaf

    Of -z c:

    - **-c** float: C, what an error costs (1 over the mean of K(x, x))
    - **-j** float: multiplies C for positive examples (1)
    - **-b** 0 or 1: bias (1)
    - **-e** float: the violation of the optimality conditions at which it stops (0.001)
    - **-m** float: memory for kernel values, in MB (1000)
    - **-#** int: the most iterations (any number)

    Of -z o:

    - **-A** perceptron, averaged, voted, pa, pai, paii, forgetron, tunedforgetron, greedyforgetron,
      projectron, projectron++
    - **-c** float: C of pai and paii (1)
    - **-j** float: weight of positive examples, of perceptrons, pai and paii (1)
    - **-b** 0 or 1: bias of perceptron and averaged (0)
    - **-B** int: budget, the most support vectors that are kept; forgetrons need it, projectrons may have it
    - **-E** float: eta of projectrons without a budget (0.1)
    - **--shuffle**: learn in random order, the same in every run, for files that are sorted by class

    Of the kernel:

    - **-t** 0 linear, 1 polynomial, 2 RBF, 3 sigmoid, on the first vector; 5 trees and vectors (0)
    - **-F** 0 ST, 1 SST, 2 SST-bow, 3 PT, 4 PT without single nodes (1); **-L** lambda (0.4), **-M** mu (0.4)
    - **-C** T trees, V vectors, + sum, * product (T); **-T** weight of the trees in the sum (1)
    - **-S** kernel of vectors under -t 5: 0 to 3 as for -t (1); **-d** degree (3), **-g** gamma (1),
      **-s** scale (1), **-r** offset (1)
    - **-N** normalise: 0 nothing, 1 trees, 2 vectors, 3 both, under -t 5 (3)
    - **-W**, **-V** S: several trees, or vectors, are summed over matching positions (S)

    Labels above 0 are positive, below 0 negative. Ctrl-C writes what was learned so far, beside an older model of that
    name. The models of averaged and voted are followed by their votes.

    Examples:

    - `hedgerow svm_learn -t 5 -F 1 -c 1 train.dat model`
    - `hedgerow svm_learn -z o -A averaged -t 5 train.dat model`
    - `hedgerow svm_learn -z o -A tunedforgetron -B 1000 -t 5 -F 3 -C + -S 0 train.dat model`
    """
    # Imported here: scikit-learn takes a second to load, which help and other commands need not wait for.
    from hedgerow.svmlight_tk.commands.svm_learning import learn_and_write

    learn_and_write(arguments)
