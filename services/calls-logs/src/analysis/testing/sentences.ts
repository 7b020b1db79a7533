// What people say on the telephone, for the generated half of the labelled transcripts. Every answer stands with its value, as a
// person labelled it; the calls began on Friday, 27 November 2026, at four in the afternoon in Berlin and ten in New York.

export type Value = string | number | boolean;
export type Answer = readonly [said: string, value: Value];

export interface Script {
  readonly questions: readonly string[];
  readonly answers: readonly Answer[];
  /** What the agent says to have the value confirmed; `…` stands for words of the answer. */
  readonly readBack?: readonly string[];
}

export type Scripts = Readonly<Record<string, Readonly<Record<string, Script>>>>;

const englishPhones: readonly Answer[] = [
  ['six one seven, five five five, oh one three eight', '+16175550138'],
  ['sure, it is 303-555-0119', '+13035550119'],
  ['you can get me on two oh six, triple five, zero one nine two', '+12065550192'],
  ['plus one, seven seven three, five five five, zero one five zero', '+17735550150'],
  ['area code five one two, then five five five, oh one double six', '+15125550166'],
  ['(702) 555-0134', '+17025550134'],
];
const englishNames: readonly Answer[] = [
  ['Nadia Hussain', 'Nadia Hussain'],
  ['the name is Oliver Grant', 'Oliver Grant'],
  ["it's george mcallister", 'George Mcallister'],
  ["I'm Beatrice Lowe", 'Beatrice Lowe'],
  ["Chen. That's C H E N", 'Chen'],
  ['You can put it under Hannah Fischer', 'Hannah Fischer'],
  ['Samuel, spelled S A M U E L', 'Samuel'],
];

export const scripts: Scripts = {
  table: {
    guests: {
      questions: [
        'How many people will be joining?',
        'For how many people?',
        'And how many of you will there be?',
      ],
      answers: [
        ['it would be for six', 6],
        ['just the two of us', 2],
        ['we are nine people', 9],
        ['three adults', 3],
        ['a party of fourteen', 14],
        ['5', 5],
        ['table for seven please', 7],
        ["I think we'll be eight", 8],
      ],
      readBack: ['So a table for …, is that right?'],
    },
    day: {
      questions: ['Which day did you have in mind?', 'What date would that be?', 'And the day?'],
      answers: [
        ['this coming Sunday', '2026-11-29'],
        ['December the ninth', '2026-12-09'],
        ['next Monday if possible', '2026-11-30'],
        ['the sixteenth of December', '2026-12-16'],
        ['tomorrow', '2026-11-28'],
        ['New Year is no good, so the second of January', '2027-01-02'],
        ['today actually', '2026-11-27'],
        ['on Thursday', '2026-12-03'],
      ],
      readBack: ['That would be …, correct?'],
    },
    time: {
      questions: ['At what time?', 'What time suits you?', 'And what time should I put down?'],
      answers: [
        ['eight thirty in the evening', '20:30'],
        ['a quarter to seven', '18:45'],
        ['noon', '12:00'],
        ["let's say six o'clock", '18:00'],
        ['about half past five', '17:30'],
        ['7 pm', '19:00'],
        ['twenty past one', '13:20'],
        ['nine fifteen pm please', '21:15'],
      ],
      readBack: ['I have …, is that right?'],
    },
    name: {
      questions: ['What name is it under?', 'Can I take a name?', 'And your name, please?'],
      answers: englishNames,
    },
    phone: {
      questions: [
        'And a phone number we can reach you at?',
        'Which number can I call you on?',
        'Your telephone number?',
      ],
      answers: englishPhones,
    },
  },
  support: {
    order_number: {
      questions: [
        'What is the order number?',
        'Do you have the order number at hand?',
        'Could you read me your order number?',
      ],
      answers: [
        ['yes, G as in golf, four four one', 'G441'],
        ['it says T-9082', 'T-9082'],
        ['one two zero nine nine', '12099'],
        ['the number is R dash seven hundred', 'R-700'],
        ['H J five five six', 'HJ556'],
        ['sure, double eight three zero', '8830'],
      ],
    },
    email: {
      questions: [
        'Which email address did you use?',
        "What's your email?",
        'Where can I send the confirmation, what is your email address?',
      ],
      answers: [
        ['nina dot roth at example dot com', 'nina.roth@example.com'],
        ['that would be pete at shop dot example dot co dot uk', 'pete@shop.example.co.uk'],
        ['l dot b underscore seven at example dot org', 'l.b_7@example.org'],
        ['it is info at my dash company dot com', 'info@my-company.com'],
        ['zoe.b@example.net', 'zoe.b@example.net'],
        ['m a x at gmail dot com', 'max@gmail.com'],
      ],
      readBack: ['Let me repeat that: …, correct?'],
    },
    wants_refund: {
      questions: ['Would you like a refund?', 'Shall we refund you?', 'Do you want a refund for it?'],
      answers: [
        ['yes, that would be great', true],
        ['no, just send a new one', false],
        ["I'd prefer not, a voucher is fine", false],
        ['please', true],
        ['nah', false],
        ['sure', true],
        ['I guess so, yes', true],
      ],
    },
  },
  clinic: {
    patient_name: {
      questions: [
        "What's the patient's name?",
        'Who is the patient, what is the full name?',
        'Can I have your full name?',
      ],
      answers: englishNames,
    },
    date_of_birth: {
      questions: ['And your date of birth?', 'When were you born?', 'What is the date of birth?'],
      answers: [
        ['the twenty second of July nineteen sixty four', '1964-07-22'],
        ['August eighth, 2003', '2003-08-08'],
        ['11/30/1972', '1972-11-30'],
        ['born on February first nineteen ninety nine', '1999-02-01'],
        ['that is January the thirteenth, nineteen fifty five', '1955-01-13'],
      ],
    },
    appointment: {
      questions: [
        'When would you like to come in?',
        'When should the appointment be?',
        'What day and time would you like for the appointment?',
      ],
      answers: [
        ['Wednesday at half past nine in the morning', '2026-12-02T09:30'],
        ['December tenth at two in the afternoon', '2026-12-10T14:00'],
        ['tomorrow at eleven', '2026-11-28T11:00'],
        ['how about Thursday, four pm', '2026-12-03T16:00'],
        ['the seventh of December around eight thirty am', '2026-12-07T08:30'],
      ],
    },
    insurance: {
      questions: [
        'Is your insurance public or private?',
        'What kind of insurance do you have?',
        'Are you insured publicly or privately?',
      ],
      answers: [
        ['private', 'private'],
        ['public insurance', 'public'],
        ["I'm with a private insurer", 'private'],
        ['publicly insured', 'public'],
        ['the public one', 'public'],
      ],
    },
    first_visit: {
      questions: ['Is this your first visit here?', 'Would this be the first visit?', 'First visit with us?'],
      answers: [
        ['it is, yes', true],
        ["no, I've been a patient for years", false],
        ['yep', true],
        ['not my first, no', false],
        ['right', true],
      ],
    },
  },
  delivery: {
    size: {
      questions: ['Which size would you like?', 'Small, large or extra large?', 'And the size?'],
      answers: [
        ['the large one', 'large'],
        ['extra large', 'extra_large'],
        ['a small one will do', 'small'],
        ['make mine large', 'large'],
        ['small please', 'small'],
      ],
    },
    quantity: {
      questions: ['How many pizzas?', 'How many would you like?', 'How many shall I put in?'],
      answers: [
        ['three of those', 3],
        ['just one', 1],
        ['two please', 2],
        ['a dozen', 12],
        ['I need eleven', 11],
      ],
    },
    address: {
      questions: ['What is the delivery address?', 'Where should we deliver?', "And what's your address?"],
      answers: [
        ['44 Orchard Lane', '44 Orchard Lane'],
        ["it's ninety nine Hill Street", '99 Hill Street'],
        ['We live at 7 Station Road, second floor', '7 Station Road, 2nd floor'],
        ['one hundred and twelve Park Avenue, please', '112 Park Avenue'],
      ],
    },
    phone: {
      questions: ['And your phone number?', 'What number can the driver call?'],
      answers: englishPhones,
    },
  },
  survey: {
    rating: {
      questions: [
        'On a scale from one to ten, what rating would you give us?',
        'How would you rate the service?',
        'Your rating from one to ten?',
      ],
      answers: [
        ['eight', 8],
        ['a solid nine', 9],
        ['probably a four', 4],
        ['I would give you a ten', 10],
        ['three, the wait was far too long', 3],
      ],
    },
    recommend: {
      questions: ['Would you recommend us?', 'Would you recommend our service to a friend?'],
      answers: [
        ['I already have', true],
        ['yes, without a doubt', true],
        ['certainly not', false],
        ['I would', true],
        ["no, I don't think so", false],
      ],
    },
    budget: {
      questions: ['What is your monthly budget?', 'How much do you spend a month, what is the budget?'],
      answers: [
        ['two hundred dollars', 200],
        ['around three hundred and fifty', 350],
        ['eighty nine point five', 89.5],
        ['a thousand', 1_000],
        ['twenty five dollars and fifty cents', 25.5],
      ],
    },
    contact_time: {
      questions: ['What time is best to contact you?', 'At what time may we contact you?'],
      answers: [
        ['ten in the morning', '10:00'],
        ["four o'clock", '16:00'],
        ['half past eight in the morning', '08:30'],
        ['midday is fine', '12:00'],
      ],
    },
  },
  tisch: {
    personen: {
      questions: [
        'Für wie viele Personen?',
        'Wie viele Gäste werden es?',
        'Zu wievielt kommen Sie, wie viele Personen?',
      ],
      answers: [
        ['wir sind zu fünft, also fünf Personen', 5],
        ['acht', 8],
        ['für zwei Personen bitte', 2],
        ['zwölf Leute', 12],
        ['es sind drei Erwachsene', 3],
      ],
      readBack: ['Also …, richtig?'],
    },
    tag: {
      questions: ['An welchem Tag?', 'Für welchen Tag darf es sein?', 'Welches Datum?'],
      answers: [
        ['am kommenden Sonntag', '2026-11-29'],
        ['am neunten Dezember', '2026-12-09'],
        ['morgen', '2026-11-28'],
        ['am Donnerstag wenn es geht', '2026-12-03'],
        ['am 16. Dezember', '2026-12-16'],
      ],
    },
    uhrzeit: {
      questions: ['Um wie viel Uhr?', 'Und welche Uhrzeit?', 'Um welche Uhrzeit möchten Sie kommen?'],
      answers: [
        ['um halb sieben abends', '18:30'],
        ['neunzehn Uhr', '19:00'],
        ['zwölf Uhr fünfzehn', '12:15'],
        ['Viertel vor acht abends', '19:45'],
        ['gegen acht am Abend, also zwanzig Uhr', '20:00'],
      ],
    },
    name: {
      questions: ['Auf welchen Namen?', 'Wie ist Ihr Name?'],
      answers: [
        ['auf Hoffmann', 'Hoffmann'],
        ['Katrin Seidel', 'Katrin Seidel'],
        ['ich heiße Jonas Becker', 'Jonas Becker'],
        ['mein Name ist Ute Kramer', 'Ute Kramer'],
      ],
    },
    telefon: {
      questions: ['Ihre Telefonnummer bitte?', 'Unter welcher Nummer erreichen wir Sie?'],
      answers: [
        ['null eins fünf eins, zwei drei vier fünf sechs sieben acht neun', '+4915123456789'],
        ['030 901820', '+4930901820'],
        ['plus vier neun, drei null, neun null eins acht zwei null', '+4930901820'],
      ],
    },
  },
  stoerung: {
    kundennummer: {
      questions: ['Wie lautet Ihre Kundennummer?', 'Haben Sie Ihre Kundennummer zur Hand?'],
      answers: [
        ['fünf fünf null sieben', '5507'],
        ['K Strich zwei null neun', 'K-209'],
        ['ja, B wie Berta, vier acht eins', 'B481'],
      ],
    },
    email: {
      questions: ['Wie ist Ihre E-Mail-Adresse?', 'Und Ihre E-Mail?'],
      answers: [
        ['tim punkt roth ät beispiel punkt de', 'tim.roth@beispiel.de'],
        ['info ät meine minus firma punkt com', 'info@meine-firma.com'],
        ['lena.k@beispiel.de', 'lena.k@beispiel.de'],
      ],
    },
    rueckruf: {
      questions: ['Möchten Sie einen Rückruf?', 'Soll ich einen Rückruf veranlassen?'],
      answers: [
        ['ja bitte', true],
        ['nein, das ist nicht nötig', false],
        ['gern', true],
        ['nö', false],
        ['auf jeden Fall', true],
      ],
    },
    anschrift: {
      questions: ['Wie ist Ihre Anschrift?', 'Ihre Anschrift bitte?'],
      answers: [
        ['Lindenweg vier in Kiel', 'Lindenweg 4 in Kiel'],
        ['ich wohne in der Bahnhofstraße 21', 'Bahnhofstraße 21'],
      ],
    },
  },
};

interface Phrases {
  readonly greetings: readonly string[];
  readonly openings: readonly string[];
  readonly refusals: readonly string[];
  readonly doubts: readonly string[];
  readonly repairs: readonly string[];
  readonly noises: readonly string[];
  readonly again: readonly (readonly [user: string, agent: string])[];
  readonly asides: readonly (readonly [user: string, agent: string])[];
  readonly removed: readonly string[];
  readonly farewells: readonly string[];
}

export const phrases: Readonly<Record<'en' | 'de', Phrases>> = {
  en: {
    greetings: [
      'Hello, how can I help you?',
      'Good morning, what can I do for you?',
      'Thank you for calling.',
    ],
    openings: ['Hi there.', 'Hello, I hope you can help me.', 'Yes, hi, good morning.'],
    refusals: [
      "I'd rather keep that to myself.",
      "I don't want to give you that.",
      "Sorry, I won't share that.",
      'I would prefer not to say.',
    ],
    doubts: [
      "I honestly don't know.",
      'No idea, sorry.',
      "I can't remember right now.",
      'Let me check that and call you back.',
    ],
    repairs: ['no, sorry,', 'I mean', 'wait, no,', 'oh, make that', 'actually no,'],
    noises: ['um,', 'uh, let me see,', 'well,', 'er,', 'okay so,'],
    again: [
      ['Pardon?', 'No problem.'],
      ["Sorry, I didn't catch that.", 'I said:'],
      ["You're breaking up.", 'Let me try again.'],
    ],
    asides: [
      ['How long have you been open, by the way?', 'Since spring.'],
      ['Is it raining over there, too?', 'It is, yes.'],
      ['My dog is barking, ignore him.', 'No worries.'],
    ],
    removed: ['[redacted]', '***', '[inaudible]'],
    farewells: ['Thank you, goodbye.', "That's all, thanks a lot. Bye!", 'Great, bye.'],
  },
  de: {
    greetings: ['Guten Tag, was kann ich für Sie tun?', 'Hallo, wie kann ich helfen?'],
    openings: ['Guten Tag.', 'Hallo, schön dass Sie Zeit haben.'],
    refusals: ['Das möchte ich lieber nicht sagen.', 'Das gebe ich nicht an.', 'Das ist privat.'],
    doubts: ['Das weiß ich leider nicht.', 'Keine Ahnung.', 'Da muss ich erst nachsehen.'],
    repairs: ['nein, Entschuldigung,', 'ich meine', 'Moment, nein,', 'Quatsch,'],
    noises: ['ähm,', 'also,', 'äh,', 'ja,'],
    again: [
      ['Wie bitte?', 'Kein Problem.'],
      ['Das habe ich akustisch nicht verstanden.', 'Ich wiederhole:'],
    ],
    asides: [
      ['Regnet es bei Ihnen auch?', 'Ja, leider.'],
      ['Der Hund bellt gerade.', 'Das macht nichts.'],
    ],
    removed: ['[geschwärzt]', '***'],
    farewells: ['Vielen Dank, auf Wiederhören.', 'Danke, tschüss.'],
  },
};
