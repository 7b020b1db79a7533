// The agent's own sentences, by language. `{value}` and the other words in braces are replaced.
import { primaryLanguage } from './language.js';

const english = {
  farewell: 'Thank you, and goodbye.',
  notCalledAgain: 'All right, we will not call you again.',
  notCalledAgainFarewell: 'I am sorry for the disturbance. We will not call you again. Goodbye.',
  numberNotShown: 'Your number is not shown to us, so we cannot call it.',
  cannotSay: 'I am sorry, I cannot talk about that.',
  tooLong: 'I am sorry, that was too long for me. Please say it in a few words.',
  cannotAnswer: 'I am sorry, I cannot answer at the moment.',
  notUnderstood: 'I am sorry, I did not understand that.',
  askField: 'Could you tell me {field}?',
  askAgain: 'I am sorry, I did not understand that. Could you tell me once more {field}?',
  askChoice: 'Could you tell me {field}? You can choose {choices}.',
  askTime: 'And at what time on {value}?',
  askTimeByKeys:
    'And at what time on {value}? Please enter it with the keys of your telephone: two digits for the hour, from 00 to 23, and two for the minutes.',
  askTimeAgain: 'At what time would that be?',
  askYesNo: 'Please answer with yes or no: {field}?',
  readBack: 'I understood {value}. Is that right?',
  readBackField: 'For "{field}" I understood {value}. Is that right?',
  yesOrNo: 'I am sorry, I did not understand that. I have {value}. Is that right: yes or no?',
  confirmByKeys:
    'I am sorry, I did not understand that. I have {value}. Please press 1 on your telephone if that is right, and 2 if it is not.',
  chooseByKeys: 'I am sorry, I did not understand that. {field}: on your telephone, please press {choices}.',
  keyFor: '{key} for {value}',
  yes: 'yes',
  no: 'no',
  expectedAnswers: 'Is that right? Yes. No.',
  corrected: 'I am sorry. Could you tell me once more {field}?',
  spell: 'I am sorry. Please spell {field} for me, letter by letter.',
  spellWithWords: 'I am sorry. Please spell {field} with a word for each letter, such as A as in Alpha.',
  spellFirstName:
    'I am sorry. Please spell the first name with a word for each letter, such as A as in Alpha.',
  spellLastName: 'Thank you. Now please spell the last name with a word for each letter.',
  expectedLetters: 'A as in alpha, B as in bravo, C as in charlie.',
  expectedAlphabet:
    'A as in alpha, B as in bravo, C as in charlie, D as in delta, E as in echo, F as in foxtrot, G as in golf, H as in hotel, I as in india, J as in juliett, K as in kilo, L as in lima, M as in mike, N as in november, O as in oscar, P as in papa, Q as in quebec, R as in romeo, S as in sierra, T as in tango, U as in uniform, V as in victor, W as in whiskey, X as in x-ray, Y as in yankee, Z as in zulu.',
  keyIn: 'I am sorry. Please enter {field} with the keys of your telephone.',
  keyInDate:
    'I am sorry. Please enter {field} with the keys of your telephone: two digits for the month and two for the day.',
  keyInBirth:
    'I am sorry. Please enter {field} with the keys of your telephone: two digits for the month, two for the day and four for the year.',
  keyInTime:
    'I am sorry. Please enter the time with the keys of your telephone: two digits for the hour, from 00 to 23, and two for the minutes.',
  expectedDates: 'Tomorrow. On Monday. On Friday, December 4th. The 21st of March.',
  expectedTimes: "At half past 3 in the afternoon. At 10 o'clock in the morning.",
  expectedMoments: "On Monday at 7 o'clock in the evening. December 4th at half past 3.",
  expectedMails: 'nina.mitchell@example.com',
  comeBack: 'Let me come back to one question.',
  skipped: 'Never mind, let us go on.',
  noted: 'Thank you.',
  allCollected: 'Thank you, I have everything that I need. Is there anything else that I can do for you?',
  anythingElse: 'Is there anything else that I can do for you?',
  backTo: 'Back to my question.',
  toolSays: 'The system says: {value}',
  toolDone: 'That is done.',
  toolFailed: 'I am sorry, the system gives me no answer.',
  documentsSay: 'Our documents say: {value}',
  documentsSilent: 'I am sorry, our documents say nothing about that.',
  cannotHelp: 'I am sorry, I cannot help with that.',
  welcome: 'How can I help you?',
  or: 'or',
};

export type PhraseName = keyof typeof english;
type Phrases = Readonly<Record<PhraseName, string>>;

const german: Phrases = {
  farewell: 'Vielen Dank, und auf Wiederhören.',
  notCalledAgain: 'In Ordnung, wir rufen Sie nicht mehr an.',
  notCalledAgainFarewell:
    'Entschuldigen Sie bitte die Störung. Wir rufen Sie nicht mehr an. Auf Wiederhören.',
  numberNotShown: 'Ihre Nummer wird uns nicht angezeigt, deshalb können wir sie nicht anrufen.',
  cannotSay: 'Es tut mir leid, darüber kann ich nicht sprechen.',
  tooLong: 'Es tut mir leid, das war zu lang für mich. Bitte sagen Sie es mit wenigen Worten.',
  cannotAnswer: 'Es tut mir leid, ich kann im Moment nicht antworten.',
  notUnderstood: 'Das habe ich leider nicht verstanden.',
  askField: 'Können Sie mir bitte sagen: {field}?',
  askAgain: 'Das habe ich leider nicht verstanden. Können Sie es noch einmal sagen: {field}?',
  askChoice: 'Können Sie mir bitte sagen: {field}? Zur Wahl stehen {choices}.',
  askTime: 'Und um wie viel Uhr, am {value}?',
  askTimeByKeys:
    'Und um wie viel Uhr, am {value}? Bitte geben Sie die Uhrzeit mit den Tasten Ihres Telefons ein: zwei Ziffern für die Stunde, von 00 bis 23, und zwei für die Minuten.',
  askTimeAgain: 'Um wie viel Uhr wäre das?',
  askYesNo: 'Bitte antworten Sie mit Ja oder Nein: {field}?',
  readBack: 'Ich habe {value} verstanden. Ist das richtig?',
  readBackField: 'Bei „{field}“ habe ich {value} verstanden. Ist das richtig?',
  yesOrNo: 'Das habe ich leider nicht verstanden. Ich habe {value}. Ist das richtig: ja oder nein?',
  confirmByKeys:
    'Das habe ich leider nicht verstanden. Ich habe {value}. Bitte drücken Sie die Taste 1, wenn das richtig ist, und sonst die 2.',
  chooseByKeys: 'Das habe ich leider nicht verstanden. {field}: Bitte drücken Sie eine Taste: {choices}.',
  keyFor: '{key} für {value}',
  yes: 'ja',
  no: 'nein',
  expectedAnswers: 'Ist das richtig? Ja, genau. Nein, das stimmt nicht.',
  corrected: 'Entschuldigung. Können Sie es noch einmal sagen: {field}?',
  spell: 'Entschuldigung. Bitte buchstabieren Sie: {field}.',
  spellWithWords: 'Entschuldigung. Bitte buchstabieren Sie mit Wörtern, etwa A wie Anton: {field}.',
  spellFirstName: 'Entschuldigung. Bitte buchstabieren Sie den Vornamen mit Wörtern, etwa A wie Anton.',
  spellLastName: 'Danke. Bitte buchstabieren Sie jetzt den Nachnamen mit Wörtern.',
  expectedLetters: 'A wie Anton, B wie Berta, C wie Cäsar.',
  expectedAlphabet:
    'A wie Anton, B wie Berta, C wie Cäsar, D wie Dora, E wie Emil, F wie Friedrich, G wie Gustav, H wie Heinrich, I wie Ida, J wie Julius, K wie Kaufmann, L wie Ludwig, M wie Martha, N wie Nordpol, O wie Otto, P wie Paula, Q wie Quelle, R wie Richard, S wie Samuel, T wie Theodor, U wie Ulrich, V wie Viktor, W wie Wilhelm, X wie Xanthippe, Y wie Ypsilon, Z wie Zacharias.',
  keyIn: 'Entschuldigung. Bitte geben Sie es mit den Tasten Ihres Telefons ein: {field}.',
  keyInDate:
    'Entschuldigung. Bitte geben Sie es mit den Tasten Ihres Telefons ein: {field}, mit zwei Ziffern für den Tag und zwei für den Monat.',
  keyInBirth:
    'Entschuldigung. Bitte geben Sie es mit den Tasten Ihres Telefons ein: {field}, mit zwei Ziffern für den Tag, zwei für den Monat und vier für das Jahr.',
  keyInTime:
    'Entschuldigung. Bitte geben Sie die Uhrzeit mit den Tasten Ihres Telefons ein: zwei Ziffern für die Stunde, von 00 bis 23, und zwei für die Minuten.',
  expectedDates: 'Morgen. Am Montag. Am Freitag, dem 4. Dezember.',
  expectedTimes: 'Um halb vier. Um 10 Uhr. Um 15 Uhr 30.',
  expectedMoments: 'Am Montag um 10 Uhr. Am 4. Dezember um 15 Uhr 30.',
  expectedMails: 'nina.schneider@example.com',
  comeBack: 'Ich komme noch einmal auf eine Frage zurück.',
  skipped: 'Das macht nichts, machen wir weiter.',
  noted: 'Danke.',
  allCollected: 'Vielen Dank, ich habe alles, was ich brauche. Kann ich sonst noch etwas für Sie tun?',
  anythingElse: 'Kann ich sonst noch etwas für Sie tun?',
  backTo: 'Zurück zu meiner Frage.',
  toolSays: 'Das System sagt: {value}',
  toolDone: 'Das ist erledigt.',
  toolFailed: 'Es tut mir leid, das System antwortet mir nicht.',
  documentsSay: 'In unseren Unterlagen steht: {value}',
  documentsSilent: 'Es tut mir leid, darüber steht in unseren Unterlagen nichts.',
  cannotHelp: 'Es tut mir leid, dabei kann ich nicht helfen.',
  welcome: 'Wie kann ich Ihnen helfen?',
  or: 'oder',
};

/** Languages of which the rules know the answer to a request not to be called again, and no more. */
const spanish: Partial<Phrases> = {
  notCalledAgain: 'De acuerdo, no le llamaremos más.',
  notCalledAgainFarewell: 'Disculpe la molestia. No le llamaremos más. Adiós.',
  numberNotShown: 'No vemos su número, así que no podemos llamarle.',
};
const french: Partial<Phrases> = {
  notCalledAgain: 'Très bien, nous ne vous appellerons plus.',
  notCalledAgainFarewell: 'Excusez-nous de vous avoir dérangé. Nous ne vous appellerons plus. Au revoir.',
  numberNotShown: 'Votre numéro ne s’affiche pas, nous ne pouvons donc pas vous appeler.',
};
const italian: Partial<Phrases> = {
  notCalledAgain: 'Va bene, non la chiameremo più.',
  notCalledAgainFarewell: 'Ci scusi per il disturbo. Non la chiameremo più. Arrivederci.',
  numberNotShown: 'Il suo numero non è visibile, quindi non possiamo chiamarla.',
};
const portuguese: Partial<Phrases> = {
  notCalledAgain: 'Está bem, não voltaremos a ligar.',
  notCalledAgainFarewell: 'Desculpe o incómodo. Não voltaremos a ligar. Adeus.',
  numberNotShown: 'O seu número não aparece, por isso não lhe podemos ligar.',
};
const dutch: Partial<Phrases> = {
  notCalledAgain: 'Goed, we bellen u niet meer.',
  notCalledAgainFarewell: 'Excuses voor het storen. We bellen u niet meer. Tot ziens.',
  numberNotShown: 'We zien uw nummer niet, dus we kunnen u niet bellen.',
};

const byLanguage: Readonly<Record<string, Partial<Phrases>>> = {
  en: english,
  de: german,
  es: spanish,
  fr: french,
  it: italian,
  pt: portuguese,
  nl: dutch,
};

/** Sentences that a language lacks are said in English. */
export const phraseTemplate = (language: string, name: PhraseName): string =>
  byLanguage[primaryLanguage(language)]?.[name] ?? english[name];

export const phrase = (
  language: string,
  name: PhraseName,
  values: Readonly<Record<string, string>> = {},
): string => phraseTemplate(language, name).replaceAll(/\{(\w+)\}/g, (_, key: string) => values[key] ?? '');
