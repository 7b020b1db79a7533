// The words of simulated people: short conversations in the languages that the simulation speaks.
import { isEmptyValue, replacePlaceholders } from '@parlance/contracts';

export interface Exchange {
  readonly user: string;
  readonly agent: string;
}

/** A question that the agent cannot answer from the conversation alone. `{{answer}}` is the result. */
export interface Errand {
  readonly question: string;
  readonly found: string;
  readonly nothing: string;
}

export interface Script {
  readonly exchanges: readonly Exchange[];
  /** The first sentence of an inbound caller. */
  readonly callerOpening: string;
  readonly farewell: string;
  /** The question to an agent that has a tool. */
  readonly lookUp: Errand;
  /** The question to an agent that has documents. */
  readonly readUp: Errand;
  readonly voicemailGreeting: string;
  readonly summary: string;
}

const scripts: Readonly<Record<string, Script>> = {
  en: {
    exchanges: [
      {
        user: 'Hello? Yes, I am fine, thank you. What is this about?',
        agent: 'I am calling to see whether everything works for you. Do you have a minute?',
      },
      {
        user: 'Sure. Since yesterday I cannot see my invoices any more.',
        agent: 'Thank you for telling me. Does the page show an error, or is the list empty?',
      },
      {
        user: 'The list is just empty.',
        agent:
          'I have noted that. A colleague will look at it today and call you back. Is this number the best one?',
      },
      {
        user: 'Yes, this number is good.',
        agent: 'Wonderful. Is there anything else that I can do for you?',
      },
    ],
    callerOpening: 'Hello. Since yesterday I cannot see my invoices any more.',
    farewell: 'No, that was all. Goodbye!',
    lookUp: {
      question: 'Can you look up in your system how it stands?',
      found: 'Yes. The system says: {{answer}}',
      nothing: 'I am sorry, the system gives me no answer.',
    },
    readUp: {
      question: 'And how long does a refund take?',
      found: 'Our documents say: {{answer}}',
      nothing: 'I am sorry, our documents say nothing about that.',
    },
    voicemailGreeting: 'Hi, I cannot take your call right now. Please leave a message after the tone.',
    summary: 'The customer cannot see invoices since yesterday. A colleague is to call back today.',
  },
  de: {
    exchanges: [
      {
        user: 'Hallo? Ja, mir geht es gut. Worum geht es denn?',
        agent: 'Ich möchte hören, ob bei Ihnen alles funktioniert. Haben Sie eine Minute?',
      },
      {
        user: 'Ja. Seit gestern sehe ich meine Rechnungen nicht mehr.',
        agent: 'Danke für den Hinweis. Erscheint ein Fehler, oder ist die Liste leer?',
      },
      {
        user: 'Die Liste ist einfach leer.',
        agent: 'Das habe ich notiert. Eine Kollegin ruft Sie heute zurück. Passt diese Nummer?',
      },
    ],
    callerOpening: 'Guten Tag. Seit gestern sehe ich meine Rechnungen nicht mehr.',
    farewell: 'Ja, das passt. Auf Wiederhören!',
    lookUp: {
      question: 'Können Sie im System nachsehen, wie es steht?',
      found: 'Ja. Das System sagt: {{answer}}',
      nothing: 'Es tut mir leid, das System antwortet nicht.',
    },
    readUp: {
      question: 'Und wie lange dauert eine Rückerstattung?',
      found: 'In unseren Unterlagen steht: {{answer}}',
      nothing: 'Es tut mir leid, dazu steht nichts in unseren Unterlagen.',
    },
    voicemailGreeting:
      'Guten Tag, ich bin gerade nicht erreichbar. Bitte hinterlassen Sie eine Nachricht nach dem Ton.',
    summary: 'Der Kunde sieht seit gestern keine Rechnungen. Rückruf heute.',
  },
  es: {
    exchanges: [
      {
        user: '¿Hola? Sí, estoy bien, gracias. ¿De qué se trata?',
        agent: 'Quería saber si todo le funciona bien. ¿Tiene un minuto?',
      },
      {
        user: 'Claro. Desde ayer no veo mis facturas.',
        agent: 'Gracias por decírmelo. ¿Aparece un error o la lista está vacía?',
      },
      {
        user: 'La lista está vacía.',
        agent: 'Lo he anotado. Un compañero le llamará hoy. ¿Es este el mejor número?',
      },
    ],
    callerOpening: 'Hola. Desde ayer no veo mis facturas.',
    farewell: 'Sí, este número está bien. ¡Adiós!',
    lookUp: {
      question: '¿Puede mirar en el sistema cómo está?',
      found: 'Sí. El sistema dice: {{answer}}',
      nothing: 'Lo siento, el sistema no responde.',
    },
    readUp: {
      question: '¿Y cuánto tarda un reembolso?',
      found: 'Nuestros documentos dicen: {{answer}}',
      nothing: 'Lo siento, nuestros documentos no dicen nada de eso.',
    },
    voicemailGreeting: 'Hola, ahora no puedo atender. Deje su mensaje después de la señal.',
    summary: 'El cliente no ve sus facturas desde ayer. Se le llamará hoy.',
  },
  fr: {
    exchanges: [
      {
        user: 'Allô ? Oui, ça va bien, merci. De quoi s’agit-il ?',
        agent: 'Je voulais savoir si tout fonctionne pour vous. Avez-vous une minute ?',
      },
      {
        user: 'Oui. Depuis hier je ne vois plus mes factures.',
        agent: 'Merci de me le dire. Y a-t-il une erreur, ou la liste est-elle vide ?',
      },
      {
        user: 'La liste est simplement vide.',
        agent: 'C’est noté. Un collègue vous rappelle aujourd’hui. Ce numéro convient-il ?',
      },
    ],
    callerOpening: 'Bonjour. Depuis hier je ne vois plus mes factures.',
    farewell: 'Oui, ce numéro convient. Au revoir !',
    lookUp: {
      question: 'Pouvez-vous regarder dans le système où cela en est ?',
      found: 'Oui. Le système dit : {{answer}}',
      nothing: 'Je suis désolé, le système ne répond pas.',
    },
    readUp: {
      question: 'Et combien de temps prend un remboursement ?',
      found: 'Nos documents disent : {{answer}}',
      nothing: 'Je suis désolé, nos documents n’en disent rien.',
    },
    voicemailGreeting: 'Bonjour, je ne suis pas disponible. Laissez un message après le bip.',
    summary: 'Le client ne voit plus ses factures depuis hier. À rappeler aujourd’hui.',
  },
};

/** The script of a language such as `de-AT`; English where there is none. */
export const scriptFor = (language: string): Script => {
  const english = scripts.en;
  const script = scripts[language.slice(0, 2).toLowerCase()] ?? english;
  if (!script) throw new Error('the simulation has lost its English');
  return script;
};

/** Fills `{{name}}` and `{{name | fallback}}`; a variable without a value and without a fallback becomes empty. */
export const fillVariables = (text: string, variables: Readonly<Record<string, string>>): string =>
  replacePlaceholders(text, (name, fallback = '') => {
    const value = variables[name] ?? '';
    return isEmptyValue(value) ? fallback : value;
  });
