import { describe, expect, it } from '@jest/globals';
import { asksNotToBeCalled } from './opt-out.js';

const requests: Readonly<Record<string, readonly string[]>> = {
  English: [
    'Stop calling me.',
    'please stop calling me',
    'Okay, stop calling this number, I mean it.',
    'Could you please stop calling me?',
    'I want you to stop calling.',
    "I'm busy. Don't call me again!",
    'Don’t call me any more, please',
    'do not ever call here again',
    'Never call me again.',
    "Don't call me.",
    "Hello? No. Please don't call this number anymore. Bye.",
    'Take me off your list.',
    'Remove my number from your calling list please',
    'please put me on the do-not-call list',
    "I don't want to be called anymore",
    "I don't want you to call me again, thank you",
    'If you do not stop calling me, I will sue you.',
    'Quit calling me every day',
    'no more calls please',
    'Delete my number.',
  ],
  German: [
    'Ruf mich nicht mehr an.',
    'rufen sie mich nicht mehr an',
    'Bitte rufen Sie mich nie wieder an!',
    'Nein, rufen Sie hier nicht mehr an.',
    'Rufen Sie mich bitte nicht mehr unter dieser Nummer an.',
    'Hören Sie auf, mich anzurufen.',
    'Hör endlich auf mich anzurufen',
    'Ich möchte nicht mehr angerufen werden.',
    'Ich will von Ihnen nicht mehr angerufen werden',
    'Ich möchte nicht, dass Sie mich noch einmal anrufen.',
    'Ich will keine Anrufe mehr.',
    'Streichen Sie mich von Ihrer Liste.',
    'Nehmen Sie meine Nummer bitte aus dem Verteiler',
    'Löschen Sie meine Nummer.',
    'Unterlassen Sie weitere Anrufe',
  ],
  Spanish: [
    'No me llame más.',
    'por favor no me llamen más',
    'No me vuelva a llamar.',
    'No vuelvan a llamarme nunca.',
    'Deje de llamarme, por favor',
    'Dejen de llamar a este número',
    'No quiero que me llamen más.',
    'No quiero recibir más llamadas.',
    'Quíteme de su lista.',
    'Borre mi número.',
  ],
  French: [
    'Ne m’appelez plus.',
    "s'il vous plaît ne m'appelez plus jamais",
    "M'appelez plus !",
    'Arrêtez de m’appeler.',
    "Merci de ne plus m'appeler.",
    'Ne me rappelez plus',
    'Je ne veux plus être appelé.',
    "Je ne souhaite plus que vous m'appeliez.",
    'Retirez-moi de votre liste.',
    'Supprimez mon numéro, s’il vous plaît.',
  ],
  Italian: [
    'Non mi chiami più.',
    'Per favore, non chiamatemi più',
    'Non mi chiamate mai più!',
    'Smettetela di chiamarmi.',
    'Non voglio più essere chiamato.',
    'Non voglio più ricevere telefonate',
    'Mi tolga dalla vostra lista.',
    'Cancelli il mio numero.',
  ],
  Portuguese: [
    'Não me ligue mais.',
    'por favor não me liguem mais',
    'Não ligue mais para este número',
    'Pare de me ligar.',
    'Parem de ligar para mim!',
    'Não volte a ligar.',
    'Nunca mais me ligue.',
    'Não quero receber mais ligações.',
    'Tire-me da sua lista.',
    'Apague o meu número.',
  ],
  Dutch: [
    'Bel me niet meer.',
    'Belt u mij alstublieft niet meer',
    'Bel nooit meer op dit nummer.',
    'Stop met bellen.',
    'Hou op met mij te bellen!',
    'Ik wil niet meer gebeld worden.',
    'Ik wil niet dat u mij nog belt.',
    'Haal me van de lijst.',
    'Verwijder mijn nummer.',
  ],
};

const others: Readonly<Record<string, readonly string[]>> = {
  English: [
    "Don't call me a liar.",
    'Stop calling it that.',
    'Stop calling me names.',
    'Stop calling me Bob.',
    "Don't call me Shirley",
    'Call me tomorrow.',
    "Don't call me before nine.",
    "Please don't call me again before noon, I sleep late.",
    "Don't call again today, call me tomorrow.",
    'You never call me anymore.',
    'Why did you stop calling me?',
    "He won't stop calling me.",
    "Please don't stop calling me.",
    "I can't call you any more.",
    "Don't you want to call me again tomorrow?",
    'I asked him to stop calling me.',
    'I want to be called back.',
    'Do you have a do-not-call list?',
    'Take me off the hold, please.',
    'My number is on the list.',
    'I was told not to call my doctor again until Monday.',
    'stop',
    'no',
    '',
  ],
  German: [
    'Rufen Sie mich morgen an.',
    'Rufen Sie mich heute nicht mehr an.',
    'Rufen Sie mich nicht vor neun an.',
    'Rufen Sie mich nicht mehr vor acht an.',
    'Warum rufen Sie mich nicht mehr an?',
    'Mein Sohn ruft mich nicht mehr an.',
    'Nenn mich nicht Lügner.',
    'Ich kann heute nicht mehr anrufen.',
    'Ich möchte morgen angerufen werden.',
    'Haben Sie meine Nummer gelöscht?',
    'Hören Sie mich?',
  ],
  Spanish: [
    'Llámeme mañana.',
    'No me llames mentiroso.',
    'No me llame más tarde, llámeme ahora.',
    'Deja de llamarme tonto.',
    '¿Por qué ya no me llamas?',
    'No me llame antes de las nueve.',
    'Me llamo Ana.',
  ],
  French: [
    'Appelez-moi demain.',
    "Ne m'appelez pas menteur.",
    "Ne m'appelez plus madame.",
    "Arrêtez de m'appeler monsieur.",
    "Il ne m'appelle plus.",
    "Ne m'appelez plus avant neuf heures.",
    "Je m'appelle Jean.",
  ],
  Italian: [
    'Mi chiami domani.',
    'Non mi chiami bugiardo.',
    'Non mi chiami più così.',
    'Non mi chiami più tardi delle otto.',
    'Perché non mi chiami più?',
    'Mi chiamo Anna.',
  ],
  Portuguese: [
    'Me ligue amanhã.',
    'Não me chame de mentiroso.',
    'Não me ligue antes das nove.',
    'Não me ligue mais tarde.',
    'Você não me liga mais.',
    'Pare de me chamar de doutor.',
  ],
  Dutch: [
    'Bel me morgen.',
    'Bel me niet voor negen uur.',
    'Bel me vandaag niet meer.',
    'Waarom belt u mij niet meer?',
    'Mijn zoon belt me niet meer.',
    'Noem me geen leugenaar.',
    'Stop met dat lawaai.',
  ],
};

const cases = (sentences: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(sentences).flatMap(([language, texts]) => texts.map((text) => [language, text] as const));

describe('asksNotToBeCalled', () => {
  it.each(cases(requests))('recognises a request not to be called again in %s: %s', (_, text) => {
    expect(asksNotToBeCalled(text)).toBe(true);
  });

  it.each(cases(others))('takes no other sentence for such a request in %s: %s', (_, text) => {
    expect(asksNotToBeCalled(text)).toBe(false);
  });

  it.each(['please ', 'stop calling me x ', 'remove me from your ', ', and so ', "don't call me "])(
    'gets through a turn of twenty thousand characters of %j',
    (piece) => {
      const turn = piece.repeat(Math.ceil(20_000 / piece.length));
      expect(asksNotToBeCalled(`${turn}x`)).toBe(false);
    },
  );
});
