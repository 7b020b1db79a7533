// What the runtime itself says, whatever the agent is about.

export interface Phrases {
  readonly stillThere: string;
  readonly silenceGoodbye: string;
  readonly oneMoment: string;
  readonly didNotGetThat: string;
  readonly cannotHear: string;
  readonly cannotAnswer: string;
  /** Consent to a recording. */
  readonly mayRecord: string;
  readonly mayRecordYesOrNo: string;
  readonly recordingBegins: string;
  readonly noRecording: string;
}

const english: Phrases = {
  stillThere: 'Are you still there?',
  silenceGoodbye: 'I cannot hear you any more, so I will hang up now. Goodbye.',
  oneMoment: 'One moment, please.',
  didNotGetThat: 'I am sorry, could you say that again?',
  cannotHear:
    'I am sorry, I cannot hear you because of a technical problem. Please call again later. Goodbye.',
  cannotAnswer: 'I am sorry, I have a technical problem and cannot go on. Please call again later. Goodbye.',
  mayRecord: 'May I record this call?',
  mayRecordYesOrNo: 'I need a clear answer: may I record this call, yes or no?',
  recordingBegins: 'Thank you. The recording begins now.',
  noRecording: 'All right, this call is not recorded.',
};

const byLanguage: Readonly<Record<string, Phrases>> = {
  en: english,
  de: {
    stillThere: 'Sind Sie noch da?',
    silenceGoodbye: 'Ich höre Sie nicht mehr und lege jetzt auf. Auf Wiederhören.',
    oneMoment: 'Einen Moment, bitte.',
    didNotGetThat: 'Entschuldigung, könnten Sie das bitte wiederholen?',
    cannotHear:
      'Entschuldigung, wegen einer technischen Störung kann ich Sie nicht hören. Bitte rufen Sie später noch einmal an. Auf Wiederhören.',
    cannotAnswer:
      'Entschuldigung, wegen einer technischen Störung kann ich nicht weitersprechen. Bitte rufen Sie später noch einmal an. Auf Wiederhören.',
    mayRecord: 'Darf ich dieses Gespräch aufzeichnen?',
    mayRecordYesOrNo: 'Ich brauche eine klare Antwort: Darf ich dieses Gespräch aufzeichnen, ja oder nein?',
    recordingBegins: 'Vielen Dank. Die Aufzeichnung beginnt jetzt.',
    noRecording: 'In Ordnung, dieses Gespräch wird nicht aufgezeichnet.',
  },
  es: {
    stillThere: '¿Sigue ahí?',
    silenceGoodbye: 'Ya no le oigo, así que voy a colgar. Adiós.',
    oneMoment: 'Un momento, por favor.',
    didNotGetThat: 'Disculpe, ¿podría repetirlo?',
    cannotHear: 'Disculpe, no puedo oírle por un problema técnico. Llame más tarde, por favor. Adiós.',
    cannotAnswer:
      'Disculpe, tengo un problema técnico y no puedo continuar. Llame más tarde, por favor. Adiós.',
    mayRecord: '¿Puedo grabar esta llamada?',
    mayRecordYesOrNo: 'Necesito una respuesta clara: ¿puedo grabar esta llamada, sí o no?',
    recordingBegins: 'Gracias. La grabación empieza ahora.',
    noRecording: 'De acuerdo, esta llamada no se graba.',
  },
  fr: {
    stillThere: 'Êtes-vous toujours là ?',
    silenceGoodbye: 'Je ne vous entends plus, je vais donc raccrocher. Au revoir.',
    oneMoment: 'Un instant, s’il vous plaît.',
    didNotGetThat: 'Excusez-moi, pourriez-vous répéter ?',
    cannotHear:
      'Excusez-moi, un problème technique m’empêche de vous entendre. Merci de rappeler plus tard. Au revoir.',
    cannotAnswer:
      'Excusez-moi, un problème technique m’empêche de continuer. Merci de rappeler plus tard. Au revoir.',
    mayRecord: 'Puis-je enregistrer cet appel ?',
    mayRecordYesOrNo: 'J’ai besoin d’une réponse claire : puis-je enregistrer cet appel, oui ou non ?',
    recordingBegins: 'Merci. L’enregistrement commence maintenant.',
    noRecording: 'Très bien, cet appel n’est pas enregistré.',
  },
};

export const phrasesOf = (language: string): Phrases =>
  byLanguage[language.slice(0, 2).toLowerCase()] ?? english;
