// The attributes of the element, as a table: the element, the types and a test of docs/widget.md are folded from it.

interface Attribute {
  readonly attribute: string;
  readonly property: string;
  /** Values that are taken; others count as absent. */
  readonly values?: readonly string[];
  readonly meaning: string;
}

export const variants = ['compact', 'full', 'inline'] as const;

export const attributes = [
  { attribute: 'widget-id', property: 'widgetId', meaning: 'Id of the widget. Required.' },
  {
    attribute: 'server',
    property: 'server',
    meaning: 'Origin of the platform. Absent: the origin that the script came from.',
  },
  {
    attribute: 'language',
    property: 'language',
    meaning: "Language of the words, as a BCP 47 tag. Absent: the agent's language, then that of the page.",
  },
  {
    attribute: 'mode',
    property: 'mode',
    values: ['voice', 'text'],
    meaning: 'Offers one kind of conversation only. Absent: all that the widget offers.',
  },
  {
    attribute: 'variant',
    property: 'variant',
    values: variants,
    meaning: 'Overrides the size of the theme.',
  },
  {
    attribute: 'position',
    property: 'position',
    values: ['bottom-right', 'bottom-left', 'top-right', 'top-left'],
    meaning: 'Overrides the corner of the theme.',
  },
  {
    attribute: 'theme',
    property: 'theme',
    values: ['light', 'dark', 'auto'],
    meaning: 'Overrides the light of the theme; auto follows the device.',
  },
  {
    attribute: 'dynamic-variables',
    property: 'dynamicVariables',
    meaning: 'Variables for the next conversation, as a JSON object of strings.',
  },
  {
    attribute: 'visitor-token',
    property: 'visitorToken',
    meaning: "Token of the site's server that names the visitor.",
  },
  {
    attribute: 'visitor-id',
    property: 'visitorId',
    meaning: 'Name of the visitor for the call log, unproven. Absent: none is told.',
  },
] as const satisfies readonly Attribute[];

export type AttributeName = (typeof attributes)[number]['attribute'];
export type PropertyName = (typeof attributes)[number]['property'];

/** One of the values, or undefined. */
export const oneOf = <T extends string>(value: string | null, values: readonly T[]): T | undefined =>
  values.find((known) => known === value);

/** Variables from JSON; numbers and booleans become text. @throws Error for anything else */
export const variablesIn = (json: string): Readonly<Record<string, string>> => {
  const given: unknown = JSON.parse(json);
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new Error('The variables must be a JSON object.');
  return Object.fromEntries(
    Object.entries(given).map(([name, value]: [string, unknown]) => {
      if (!['string', 'number', 'boolean'].includes(typeof value))
        throw new Error(`The variable ${name} must be a text.`);
      return [name, String(value)];
    }),
  );
};
