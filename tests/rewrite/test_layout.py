"""Comments, blank lines, indentation and line endings around what changes."""

from __future__ import annotations

import pytest

from tests.tools import V1, check_body, check_transformed, comments, migrated, source


def test_comments_above_move_to_what_replaces_the_statement() -> None:
    check_body(
        """
        # The devices.
        config = tf.ConfigProto()
        # Grow.
        config.gpu_options.allow_growth = True
        # The session.
        sess = tf.Session(config=config)
        """,
        """
        # The devices.
        # Grow.
        for gpu in tf.config.list_physical_devices("GPU"):
            tf.config.experimental.set_memory_growth(gpu, True)
        # The session.
        sess = tf.Session()
        """,
    )


def test_trailing_comment_stays_behind_its_statement() -> None:
    check_body(
        """
        config = tf.ConfigProto()
        config.allow_soft_placement = True  # anywhere
        sess = tf.Session(config=config)  # pylint: disable=invalid-name
        """,
        """
        tf.config.set_soft_device_placement(True)  # anywhere
        sess = tf.Session()  # pylint: disable=invalid-name
        """,
    )


def test_comment_to_a_tool_ends_a_line_or_goes() -> None:
    check_body(
        """
        import os  # noqa: E402

        config = tf.ConfigProto()
        config.gpu_options.allow_growth = True  # pylint: disable=no-member
        sess = tf.Session(config=config)  # noqa
        """,
        """
        import os  # noqa: E402

        for gpu in tf.config.list_physical_devices("GPU"):  # pylint: disable=no-member
            tf.config.experimental.set_memory_growth(gpu, True)
        sess = tf.Session()  # noqa
        """,
    )


def test_comment_to_a_tool_about_a_line_that_leaves_nothing() -> None:
    check_body(
        """
        if x:
            config = tf.ConfigProto()  # pylint: disable=invalid-name
            sess = tf.Session(config=config)
        """,
        """
        if x:
            sess = tf.Session()
        """,
    )


def test_trailing_comment_of_what_becomes_several_lines_goes_above() -> None:
    check_body(
        """
        config = tf.ConfigProto()
        config.gpu_options.allow_growth = True  # grow
        sess = tf.Session(config=config)
        """,
        """
        # grow
        for gpu in tf.config.list_physical_devices("GPU"):
            tf.config.experimental.set_memory_growth(gpu, True)
        sess = tf.Session()
        """,
    )


def test_trailing_comments_of_statements_that_become_one() -> None:
    check_body(
        """
        config = tf.ConfigProto()
        config.gpu_options.visible_device_list = "0"  # first
        config.gpu_options.allow_growth = True  # second
        config.allow_soft_placement = True  # third
        sess = tf.Session(config=config)
        """,
        """
        # first
        gpus = tf.config.list_physical_devices("GPU")
        if gpus:
            tf.config.set_visible_devices(gpus[0], "GPU")
        # second
        for gpu in gpus:
            tf.config.experimental.set_memory_growth(gpu, True)
        tf.config.set_soft_device_placement(True)  # third
        sess = tf.Session()
        """,
    )


def test_comments_inside_a_multi_line_call() -> None:
    check_body(
        """
        config = tf.ConfigProto(  # open
            # before
            allow_soft_placement=True,  # soft
            # end
        )  # close
        sess = tf.Session(config=config)
        """,
        """
        # open
        # before
        # soft
        # end
        tf.config.set_soft_device_placement(True)  # close
        sess = tf.Session()
        """,
    )


def test_comments_of_the_argument_that_goes() -> None:
    check_body(
        """
        sess = tf.Session(
            config=tf.ConfigProto(allow_soft_placement=True),  # config
            graph=graph,  # graph
        )
        """,
        """
        # config
        tf.config.set_soft_device_placement(True)
        sess = tf.Session(
            graph=graph,  # graph
        )
        """,
    )


def test_comment_between_parentheses_stays_there() -> None:
    text = migrated(
        """
        import tensorflow as tf

        sess = tf.Session(  # open
            # what it runs with
            config=tf.ConfigProto(allow_soft_placement=True)
        )  # close
        """
    )
    assert comments(text) == ["# close", "# open", "# what it runs with"]
    assert "tf.Session(  # open\n    # what it runs with\n" in text


def test_comment_inside_a_value() -> None:
    check_body(
        """
        config = tf.ConfigProto(
            allow_soft_placement=not (
                # only then
                strict
            ))
        sess = tf.Session(config=config)
        """,
        """
        # only then
        tf.config.set_soft_device_placement(not strict)
        sess = tf.Session()
        """,
    )


def test_comments_of_statements_that_leave_nothing() -> None:
    check_body(
        """
        x = 1
        # empty
        config = tf.ConfigProto()  # new
        # the session
        sess = tf.Session(config=config)
        """,
        """
        x = 1
        # empty
        # new
        # the session
        sess = tf.Session()
        """,
    )


def test_comments_at_the_end_of_blocks() -> None:
    check_body(
        """
        def make():
            config = tf.ConfigProto(allow_soft_placement=True)
            return tf.Session(config=config)
            # end of make
        # between


        def other():
            pass
            # end of other
        # end of file
        """,
        """
        def make():
            tf.config.set_soft_device_placement(True)
            return tf.Session()
            # end of make
        # between


        def other():
            pass
            # end of other
        # end of file
        """,
    )


def test_comments_of_a_block_that_becomes_empty() -> None:
    check_transformed(
        """
        import tensorflow as tf
        from keras import backend as K


        def limit():
            # a
            config = tf.ConfigProto()
            # b
            K.set_session(tf.Session(config=config))
            # c


        limit()
        print(tf.__version__)
        """,
        """
        import tensorflow as tf


        def limit():
            pass
            # a
            # b
            # c


        limit()
        print(tf.__version__)
        """,
    )


def test_comments_after_the_last_statement_of_a_file() -> None:
    check_transformed(
        """
        import tensorflow as tf
        from keras import backend as K

        print(tf.__version__)
        # a
        K.set_session(tf.Session(config=tf.ConfigProto()))  # b
        # c
        """,
        """
        import tensorflow as tf

        print(tf.__version__)
        # a
        # b
        # c
        """,
    )


# Blank lines.


def test_blank_lines_between_what_goes() -> None:
    check_body(
        """
        x = 1

        config = tf.ConfigProto()

        config.allow_soft_placement = True

        sess = tf.Session(config=config)


        y = 1
        """,
        """
        x = 1

        tf.config.set_soft_device_placement(True)

        sess = tf.Session()


        y = 1
        """,
    )


def test_blank_lines_are_not_added_up() -> None:
    check_body(
        """
        x = 1

        config = tf.ConfigProto()

        sess = tf.Session(config=config)
        """,
        """
        x = 1

        sess = tf.Session()
        """,
    )


def test_blank_lines_above_an_inline_config() -> None:
    check_body(
        """
        x = 1


        # the session
        with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as sess:

            sess.run(x)
        """,
        """
        x = 1


        # the session
        tf.config.set_soft_device_placement(True)
        with tf.Session() as sess:

            sess.run(x)
        """,
    )


# Suites.


def test_one_line_suites() -> None:
    check_body(
        """
        config = tf.ConfigProto()
        if grow: config.gpu_options.allow_growth = True
        else: config.log_device_placement = True
        sess = tf.Session(config=config)
        """,
        """
        if grow:
            for gpu in tf.config.list_physical_devices("GPU"):
                tf.config.experimental.set_memory_growth(gpu, True)
        else: tf.debugging.set_log_device_placement(True)
        sess = tf.Session()
        """,
    )


def test_one_line_suite_that_becomes_empty() -> None:
    check_body(
        """
        config = tf.ConfigProto()
        if grow: config.gpu_options.allow_growth = False
        sess = tf.Session(config=config)
        """,
        """
        if grow:
            pass
        sess = tf.Session()
        """,
    )


def test_comment_of_a_one_line_suite_that_becomes_empty() -> None:
    check_body(
        """
        config = tf.ConfigProto()
        if grow: config.gpu_options.allow_growth = False  # never
        sess = tf.Session(config=config)
        """,
        """
        if grow:
            pass
            # never
        sess = tf.Session()
        """,
    )


def test_one_line_suite_of_several_statements() -> None:
    check_body(
        """
        config = tf.ConfigProto()
        if a: print(1); config.allow_soft_placement = True; print(2)  # all
        sess = tf.Session(config=config)
        """,
        """
        if a:
            print(1)
            tf.config.set_soft_device_placement(True)
            print(2)  # all
        sess = tf.Session()
        """,
    )


def test_one_line_suite_with_an_inline_config() -> None:
    check_body(
        "if a: sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=True)); print(1)\n",
        "if a:\n    tf.config.set_soft_device_placement(True)\n    sess = tf.Session()\n"
        "    print(1)\n",
    )


def test_one_line_function() -> None:
    check_body(
        """
        def init(): global config; config = tf.ConfigProto(allow_soft_placement=True)
        init()
        sess = tf.Session(config=config)
        """,
        """
        def init(): tf.config.set_soft_device_placement(True)
        init()
        sess = tf.Session()
        """,
    )


def test_several_statements_on_a_line() -> None:
    check_body(
        """
        config = tf.ConfigProto(); config.allow_soft_placement = True; x = 1
        sess = tf.Session(config=config); print(x)  # end
        """,
        """
        tf.config.set_soft_device_placement(True)
        x = 1
        sess = tf.Session(); print(x)  # end
        """,
    )


def test_semicolon_at_the_end_of_a_line() -> None:
    check_body(
        """
        config = tf.ConfigProto();
        config.allow_soft_placement = True;
        sess = tf.Session(config=config); print(1);
        """,
        """
        tf.config.set_soft_device_placement(True)
        sess = tf.Session(); print(1);
        """,
    )


def test_empty_else_goes() -> None:
    check_body(
        """
        config = tf.ConfigProto()
        if grow:
            config.gpu_options.allow_growth = True
        else:
            config.gpu_options.allow_growth = False
        sess = tf.Session(config=config)
        """,
        """
        if grow:
            for gpu in tf.config.list_physical_devices("GPU"):
                tf.config.experimental.set_memory_growth(gpu, True)
        sess = tf.Session()
        """,
    )


def test_empty_else_with_a_comment_passes() -> None:
    check_body(
        """
        config = tf.ConfigProto()
        if grow:
            config.gpu_options.allow_growth = True
        else:
            # all of it
            config.gpu_options.allow_growth = False
        sess = tf.Session(config=config)
        """,
        """
        if grow:
            for gpu in tf.config.list_physical_devices("GPU"):
                tf.config.experimental.set_memory_growth(gpu, True)
        else:
            pass
            # all of it
        sess = tf.Session()
        """,
    )


def test_else_of_the_user_that_passes_stays() -> None:
    check_body(
        """
        config = tf.ConfigProto()
        if grow:
            config.allow_soft_placement = True
        else:
            pass
        sess = tf.Session(config=config)
        """,
        """
        if grow:
            tf.config.set_soft_device_placement(True)
        else:
            pass
        sess = tf.Session()
        """,
    )


def test_elif_chain() -> None:
    check_body(
        """
        config = tf.ConfigProto()
        if a:  # a
            config.allow_soft_placement = True
        elif b:  # b
            config.log_device_placement = True
        # c
        elif c:
            config.gpu_options.visible_device_list = ""
        else:
            print("none")
        sess = tf.Session(config=config)
        """,
        """
        if a:  # a
            tf.config.set_soft_device_placement(True)
        elif b:  # b
            tf.debugging.set_log_device_placement(True)
        # c
        elif c:
            pass
        else:
            print("none")
        sess = tf.Session()
        """,
    )


def test_nested_functions_and_decorators() -> None:
    check_body(
        """
        @outer
        # about make
        def make():
            config = tf.ConfigProto(allow_soft_placement=True)

            @inner
            def run():
                return tf.Session(config=config)

            return run()
        """,
        """
        @outer
        # about make
        def make():
            tf.config.set_soft_device_placement(True)

            @inner
            def run():
                return tf.Session()

            return run()
        """,
    )


# Indentation, line endings, odd characters.


@pytest.mark.parametrize("unit", ["\t", "  ", "    ", "        ", "   "])
def test_indentation_of_the_file(unit: str) -> None:
    before = (
        "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n\n\n"
        "def main():\n"
        f"{unit}config = tf.ConfigProto()\n"
        f"{unit}if grow:\n"
        f"{unit}{unit}config.gpu_options.visible_device_list = '0'\n"
        f"{unit}{unit}config.gpu_options.allow_growth = True\n"
        f"{unit}with tf.Session(config=config) as sess:\n{unit}{unit}return sess.run(step)\n"
    )
    after = (
        "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n\n\n"
        "def main():\n"
        f"{unit}if grow:\n"
        f"{unit}{unit}gpus = tf.config.list_physical_devices('GPU')\n"
        f"{unit}{unit}if gpus:\n"
        f"{unit}{unit}{unit}tf.config.set_visible_devices(gpus[0], 'GPU')\n"
        f"{unit}{unit}for gpu in gpus:\n"
        f"{unit}{unit}{unit}tf.config.experimental.set_memory_growth(gpu, True)\n"
        f"{unit}with tf.Session() as sess:\n{unit}{unit}return sess.run(step)\n"
    )
    check_transformed(before, after)


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("last", [True, False])
def test_line_endings_and_the_end_of_the_file(ending: str, last: bool) -> None:
    before = (
        "import tensorflow as tf\n\n# grow\nconfig = tf.ConfigProto()\n"
        "config.gpu_options.allow_growth = True  # yes\nsess = tf.Session(config=config)\n"
    )
    after = (
        "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n\n# grow\n# yes\n"
        'for gpu in tf.config.list_physical_devices("GPU"):\n'
        "    tf.config.experimental.set_memory_growth(gpu, True)\nsess = tf.Session()\n"
    )
    if not last:
        before, after = before.rstrip("\n"), after.rstrip("\n")
    check_transformed(before.replace("\n", ending), after.replace("\n", ending))


def test_new_code_at_the_end_of_a_file_without_newline() -> None:
    before = (
        "import tensorflow as tf\nfrom keras import backend as K\n"
        "K.set_session(tf.Session(config=tf.ConfigProto(allow_soft_placement=True)))"
    )
    check_transformed(before, "import tensorflow as tf\ntf.config.set_soft_device_placement(True)")


def test_backslashes() -> None:
    check_body(
        """
        config = \\
            tf.ConfigProto()
        config.allow_soft_placement \\
            = not \\
              strict
        sess = \\
            tf.Session(config=config)
        """,
        """
        tf.config.set_soft_device_placement(not strict)
        sess = \\
            tf.Session()
        """,
    )


def test_form_feed_on_a_line_of_its_own() -> None:
    check_transformed(
        f"{V1}x = 1\n\x0c\nconfig = tf.ConfigProto(allow_soft_placement=True)\n"
        "sess = tf.Session(config=config)\n\x0c\n",
        f"{V1}x = 1\n\x0c\ntf.config.set_soft_device_placement(True)\nsess = tf.Session()\n\x0c\n",
    )


def test_header_of_several_lines() -> None:
    check_body(
        """
        with (
            tf.Graph().as_default() as graph,  # graph
            tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as sess,  # session
        ):
            sess.run(graph)
        """,
        """
        tf.config.set_soft_device_placement(True)
        with (
            tf.Graph().as_default() as graph,  # graph
            tf.Session() as sess,  # session
        ):
            sess.run(graph)
        """,
    )


def test_strings_that_look_like_code_stay() -> None:
    before = '''
        import tensorflow as tf

        """
        config = tf.ConfigProto(allow_soft_placement=True)  # in a string
        """
        text = "tf"; sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        '''
    text = migrated(before)
    string = source(before)[source(before).index('"""') : source(before).rindex('"""')]
    assert string in text


def test_unchanged_lines_are_the_same_bytes() -> None:
    odd = "x = { 'a' :1,\n      'b':[ 1,2 ] } ;y=( 1 , )\n\n\n\n\nif x :\n   y = 2\t# tab\n\n"
    before = f"{V1}{odd}sess = tf.Session( graph = g,config = tf.ConfigProto() )\n{odd}"
    check_transformed(before, f"{V1}{odd}sess = tf.Session( graph = g )\n{odd}")


def test_an_assignment_of_none_keeps_its_other_targets() -> None:
    check_body(
        """
        config = step = None  # to be set
        sess = config = None; best = config = None
        backup = config = None
        config = other = config = None
        config = config = None
        config = tf.ConfigProto(allow_soft_placement=True)
        sess = tf.Session(config=config)
        """,
        """
        step = None  # to be set
        sess = None; best = None
        backup = None
        other = None
        tf.config.set_soft_device_placement(True)
        sess = tf.Session()
        """,
    )


def test_a_nonlocal_statement_loses_a_variable_that_is_bound_nowhere_any_more() -> None:
    check_body(
        """
        def main():
            sess = config = None

            def build():
                nonlocal config, sess
                config = tf.ConfigProto(allow_soft_placement=True)
                sess = tf.Session(config=config)

            build()
            return sess

        main()
        """,
        """
        def main():
            sess = None

            def build():
                nonlocal sess
                tf.config.set_soft_device_placement(True)
                sess = tf.Session()

            build()
            return sess

        main()
        """,
    )
