"""`tfgpu predict`: how much memory of a card TensorFlow takes."""

from __future__ import annotations

import json

import click

from tfgpu.cli.common import format_option
from tfgpu.report.prediction import prediction_json, prediction_lines
from tfgpu.verify.memory.predict import Impossible, Setting
from tfgpu.verify.memory.predict import predict as predict_memory
from tfgpu.verify.memory.releases import UnknownRelease, find_release, releases
from tfgpu.verify.simgpu.gpus import SpecError, parse_gpus


@click.command()
@click.argument("card")
@click.option(
    "--tensorflow", default=str(releases()[-1].version), show_default=True, metavar="VERSION",
    help="The release of TensorFlow, such as 2.10 or 1.15.",
)  # fmt: skip
@click.option(
    "--fraction", type=float, metavar="PART", help="per_process_gpu_memory_fraction, such as 0.4."
)
@click.option("--memory-limit", type=int, metavar="MIB", help="memory_limit, in MiB.")
@click.option("--growth", is_flag=True, help="allow_growth, or set_memory_growth.")
@format_option(["text", "json"], "text", "The format of the prediction.")
def predict(
    card: str,
    tensorflow: str,
    fraction: float | None,
    memory_limit: int | None,
    growth: bool,
    kind: str,
) -> None:
    """Predict how much memory of CARD TensorFlow takes, and how much is left for others.

    CARD is a name (T4, "RTX 3090"), or a description as for simulate: T4(used=4GiB),
    24GiB(cc=8.6). Nothing is run: the formulas were compared with real cards.
    """
    setting = Setting(fraction, memory_limit, growth)
    try:
        gpus = dict.fromkeys(parse_gpus(card))
        release = find_release(tensorflow)
        made = [predict_memory(gpu, release, setting) for gpu in gpus]
    except (SpecError, UnknownRelease, Impossible) as error:
        raise click.UsageError(str(error)) from None
    if kind == "json":
        click.echo(json.dumps([prediction_json(one) for one in made], indent=2))
        return
    for number, one in enumerate(made):
        if number:
            click.echo("")
        for line in prediction_lines(one):
            click.echo(line)
