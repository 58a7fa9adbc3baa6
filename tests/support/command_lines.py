"""The commands of ``wdw-build`` and what it makes of a command line, without running it."""

from typer.core import TyperGroup

from wdw_build.cli.app import application


def leaves():
    """Every command and every action by its full name, with its parameters."""
    root = application()
    root.list_commands(None)
    return dict(_leaves("", root))


def _leaves(name, command):
    if isinstance(command, TyperGroup):
        for below in command.commands.values():
            yield from _leaves(f"{name} {below.name}".strip(), below)
    else:
        yield name, command.make()


def parsed(words):
    """The parameters of a command line by name. Raises ``typer.Exit`` for ``--help``, ``typer.TyperException`` for a wrong one."""
    context = application().make_context("wdw-build", list(words))
    while isinstance(context.command, TyperGroup):
        name, below, rest = context.command.resolve_command(context, [*context._protected_args, *context.args])
        context = below.make_context(name, rest, parent=context)
    return dict(context.params)
