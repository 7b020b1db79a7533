// Personal data that a test plants: in a conversation in text, in the turns and the hand-over of a call whose runtime redacts nothing, and
// in a tool.
import { randomBytes, randomInt } from 'node:crypto';
import { inBase64, searchFor } from './planted-values.js';

const words = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
const spoken = (digits: string): string => [...digits].map((digit) => words[Number(digit)]).join(' ');
const groups = (digits: string, length: number): string[] =>
  digits.match(new RegExp(`.{1,${length}}`, 'g')) ?? [];
const randomDigits = (count: number): string =>
  Array.from({ length: count }, () => String(randomInt(10))).join('');
const randomWord = (): string =>
  Array.from(randomBytes(9), (byte) => String.fromCharCode(97 + (byte % 26))).join('');
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** With the check digit of ISO/IEC 7812-1. */
const cardNumber = (): string => {
  const body = `4${randomDigits(14)}`;
  const sum = [...body].reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return body + String((10 - (sum % 10)) % 10);
};

const card = cardNumber();
const saidCard = cardNumber();
const keyedCard = cardNumber();
const telephone = `415${2 + randomInt(8)}57${randomDigits(4)}`;
const saidTelephone = `212${2 + randomInt(8)}34${randomDigits(4)}`;

/** Random, so that no other text has one of them by chance. */
export const people = {
  card,
  saidCard,
  keyedCard,
  telephone,
  saidTelephone,
  mail: `${randomWord()}@example.com`,
  firstName: capital(randomWord()),
  lastName: capital(randomWord()),
};

const [firstHalf = '', secondHalf = ''] = groups(saidCard, 8);
const [firstInput = '', secondInput = ''] = groups(keyedCard, 8);
export const said = {
  halves: [spoken(firstHalf), spoken(secondHalf)],
  inputs: [[...firstInput].join(' '), [...secondInput].join(' ')],
  telephone: spoken(saidTelephone),
} as const;

/** The value as people write and say it, as a whole and by halves, and in base64. None of them looks different in JSON. */
const forms = (value: string): readonly string[] => {
  if (!/^\d+$/.test(value)) return [value, value.toLowerCase(), ...inBase64(value)];
  const digitByDigit = groups(value, 8)
    .filter((part) => part.length === 8)
    .flatMap((part) => [[...part].join(' '), spoken(part)]);
  return [value, groups(value, 4).join(' '), ...digitByDigit, ...inBase64(value)];
};

/** The personal data that this text holds. */
export const foundPeople = searchFor(Object.values(people), forms);

/** What the person says in text. */
export const messages: readonly string[] = [
  `Hello, my name is ${people.firstName} ${people.lastName}.`,
  `You can write to ${people.mail} or call ${groups(telephone, 3).slice(0, 2).join(' ')} ${telephone.slice(6)}.`,
  `My card is ${groups(card, 4).join(' ')}.`,
  `The other card is ${said.halves[0]}`,
  said.halves[1],
  `${people.lastName} it is, and the number is ${said.telephone}.`,
];

export const toolArguments = {
  id: '7',
  card,
  note: `for ${people.firstName} ${people.lastName}, my name is ${people.firstName} ${people.lastName}`,
  phone: telephone,
};

/** The turns of a call, as a runtime reports them that redacts nothing. */
export const turns = [
  { role: 'agent', text: 'What is your name?' },
  { role: 'user', text: `${people.firstName} ${people.lastName}.` },
  { role: 'agent', text: `Thank you, ${people.firstName}. And the card number?` },
  { role: 'user', text: said.inputs[0] },
  { role: 'agent', text: 'Go on.' },
  { role: 'user', text: said.inputs[1] },
  {
    role: 'agent',
    text: `I write to ${people.mail}, Ms. ${people.lastName}.`,
    spokenText: `I write to ${people.mail}, Ms. ${people.lastName.slice(0, 5)}`,
    interrupted: true,
  },
  {
    role: 'tool',
    text: '',
    toolCall: {
      toolId: null,
      name: 'pay',
      arguments: toolArguments,
      result: { payer: people.lastName, card },
      status: 'ok',
      durationMs: 4,
    },
  },
  { role: 'user', text: `Call me at ${said.telephone}.` },
].map((turn, seq) => ({ seq, startMs: seq * 1_000, ...turn }));
