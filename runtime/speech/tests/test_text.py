from __future__ import annotations

import pytest

from parlance_speech.text import clauses, prepare


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("Call +1 415 555 0142 now.", "Call plus 1, 4 1 5, 5 5 5, 0 1 4 2 now."),
        ("Order 12345678.", "Order 1 2 3, 4 5 6, 7 8."),
        ("It is $12.50.", "It is 12 dollars and 50 cents."),
        ("It is £1.01.", "It is 1 pound and 1 penny."),
        ("At 10:30 or 14:00 or 9:05.", "At 10 30 or 14 hundred or 9 oh 5."),
        ("At 3:00.", "At 3 o'clock."),
        ("1,250 people", "1250 people"),
        ("**Yes**, see [our page](https://example.com/a).", "Yes , see our page."),
    ],
)
def test_reads_numbers_and_markup_as_a_person_would(written: str, spoken: str) -> None:
    assert prepare(written, "en-us") == spoken


def test_leaves_prices_of_other_languages_to_the_phonemizer() -> None:
    assert prepare("Cuesta €12.50.", "es") == "Cuesta €12.50."


def test_speaks_the_first_clause_alone_and_then_whole_sentences() -> None:
    text = "Thanks for calling, this is the clinic. How can I help you today? We are open, as always."
    assert list(clauses(text, "en-us")) == [
        "Thanks for calling,",
        "this is the clinic.",
        "How can I help you today?",
        "We are open, as always.",
    ]


def test_does_not_chop_off_a_first_clause_of_one_word() -> None:
    assert next(clauses("Yes, of course, I can.", "en-us")) == "Yes, of course,"


def test_speaks_the_words_before_a_joining_word_first_where_the_sentence_has_no_clause() -> None:
    text = "Could you tell me the date of the appointment that you would like to have?"
    assert list(clauses(text, "en-us")) == [
        "Could you tell me the date of the appointment",
        "that you would like to have?",
    ]
    assert next(clauses("Podría decirme la fecha de la cita que le gustaría tener con nosotros", "es")) == (
        "Podría decirme la fecha de la cita"
    )


@pytest.mark.parametrize("text", ["Could you tell me your full name?", "Thank you, I have everything that I need."])
def test_does_not_cut_a_short_sentence_between_its_words(text: str) -> None:
    assert " ".join(clauses(text, "en-us")) == text
    assert all(piece[-1] in ",.?" for piece in clauses(text, "en-us"))


@pytest.mark.parametrize("text", ["Dr. Smith is in.", "Mr. J. Doe called.", "It costs 3.50 today."])
def test_does_not_end_a_sentence_at_an_abbreviation_or_a_number(text: str) -> None:
    assert list(clauses(text, "en-us")) == [text]


def test_bounds_a_sentence_without_any_stop() -> None:
    text = "word " * 400
    pieces = list(clauses(text, "en-us"))
    assert all(len(piece) <= 120 for piece in pieces)
    assert " ".join(pieces).split() == text.split()


@pytest.mark.parametrize("text", ["", "   ", "...", "?!", "—"])
def test_speaks_nothing_where_there_are_no_words(text: str) -> None:
    assert list(clauses(text, "en-us")) == []
