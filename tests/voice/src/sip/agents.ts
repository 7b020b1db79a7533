// The agents that are called: one with short answers, and one in each language that speaks for a long time.

export const numbers = {
  answers: '+14155550100',
  long: '+14155550101',
  german: '+14155550102',
  asks: '+14155550103',
  impatient: '+14155550104',
} as const;

const longEnglish = [
  'Good day, and thank you for calling the museum of the town.',
  'Before we begin, let me tell you a little about the house.',
  'It was built more than two hundred years ago by a family of merchants who traded with the whole coast.',
  'In the ground floor you find the old kitchen, the store rooms and the scales on which the goods were weighed.',
  'On the first floor there are the living rooms with their painted ceilings, and a collection of clocks.',
  'The second floor shows the history of the harbour, with models of the ships and letters of their captains.',
  'In summer there are concerts in the garden, and children can learn how ropes were made.',
  'The cafe beside the entrance has cakes that are baked in the house, and it is open as long as the museum.',
  'Visitors who cannot climb stairs find a lift behind the ticket office.',
  'And now, how can I help you?',
].join(' ');

const longGerman = [
  'Guten Tag, und vielen Dank für Ihren Anruf im Museum der Stadt.',
  'Bevor wir beginnen, erzähle ich Ihnen ein wenig über das Haus.',
  'Es wurde vor mehr als zweihundert Jahren von einer Familie gebaut, die mit der ganzen Küste Handel trieb.',
  'Im Erdgeschoss finden Sie die alte Küche, die Lager und die Waage, auf der die Waren gewogen wurden.',
  'Im ersten Stock liegen die Wohnräume mit ihren bemalten Decken und einer Sammlung von Uhren.',
  'Der zweite Stock zeigt die Geschichte des Hafens mit Modellen der Schiffe und Briefen ihrer Kapitäne.',
  'Im Sommer gibt es Konzerte im Garten, und Kinder lernen, wie früher Seile gemacht wurden.',
  'Das Café am Eingang hat Kuchen, der im Haus gebacken wird.',
  'Und nun, was kann ich für Sie tun?',
].join(' ');

export const configurations: Readonly<Record<string, object>> = {
  [numbers.answers]: {},
  [numbers.long]: { firstMessage: longEnglish },
  [numbers.german]: { firstMessage: longGerman, agent_language: 'de' },
  [numbers.asks]: {
    data_needed: [{ id: 'phone', type: 'string', description: 'Phone number of the caller', required: true }],
    agent_language: 'en-US',
  },
  [numbers.impatient]: { limits: { silenceTimeoutSeconds: 12 } },
};

export interface Question {
  readonly text: string;
  /** A word of the question that no other one has. */
  readonly about: string;
  readonly answer: string;
}

export const questions: readonly Question[] = [
  { text: 'How long does a refund take?', about: 'refund', answer: 'A refund takes five days.' },
  { text: 'Will you send me a letter about it?', about: 'letter', answer: 'You get a letter within a week.' },
  { text: 'What are your opening hours?', about: 'hours', answer: 'We are open from nine to five.' },
  { text: 'Is there parking behind the house?', about: 'parking', answer: 'There is, and it is free.' },
  { text: 'How much does a check-up cost?', about: 'check', answer: 'It costs forty pounds.' },
  { text: 'Can I pay with a credit card?', about: 'credit', answer: 'We take cards and cash.' },
  { text: 'Where is the entrance for wheelchairs?', about: 'wheelchair', answer: 'It is at the side.' },
  { text: 'May I bring my dog to the garden?', about: 'dog', answer: 'Dogs are welcome.' },
  { text: 'When does the last bus leave?', about: 'bus', answer: 'It leaves at eleven.' },
  { text: 'What should I bring for the first visit?', about: 'bring', answer: 'Bring your passport.' },
];

export const longQuestion: Question = {
  text: 'Tell me about the history of the museum, please.',
  about: 'history',
  answer:
    'The museum was founded by a teacher who collected stones, and it grew with every year. Later the town gave it the old harbour house with its seven halls, and a railway brought visitors from the whole country. Today it shows ships, clocks and paintings on three floors.',
};

export const interruption: Question = {
  text: 'Wait, sorry. Where can I leave my umbrella?',
  about: 'umbrella',
  answer: 'Leave it at the door.',
};

const all = [...questions, longQuestion, interruption];

export const passageFor = (query: string): string =>
  all.find(({ about }) => query.toLowerCase().includes(about))?.answer ?? 'Please ask at the desk.';

/** Signs of listening, by language. */
export const backChannels: Readonly<Record<'en' | 'de', readonly string[]>> = {
  en: ['Mm-hm.', 'Yeah.', 'Okay.'],
  de: ['Ja.', 'Genau.', 'Mhm.', 'Okay.'],
};
