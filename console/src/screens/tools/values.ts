// A tool as its form holds it, and as the interface takes it. Pure.
import type { Tool } from '@parlance/client';

export type ToolValues = Pick<
  Tool,
  | 'name'
  | 'description'
  | 'request'
  | 'parameters'
  | 'timeoutMs'
  | 'executionMode'
  | 'fillerMessage'
  | 'interruptible'
  | 'response'
  | 'onError'
  | 'isActive'
>;

export const firstValues: ToolValues = {
  ...{ name: '', description: '', parameters: [], timeoutMs: 10_000, executionMode: 'immediate' },
  ...{ fillerMessage: null, interruptible: true, onError: 'summarize', isActive: true },
  request: { method: 'GET', url: '', headers: {}, contentType: 'application/json', bodyTemplate: null },
  response: { maxChars: 4_000, include: [], assignments: [] },
};

export const valuesOf = (tool: Tool): ToolValues => {
  const { id, type, agentIds, stats24h, createdAt, updatedAt, ...settings } = tool;
  // With every key that a field writes: the form counts one that appears as a change.
  const parameters = settings.parameters.map((parameter) => ({
    ...{ value: undefined, sensitive: undefined },
    ...parameter,
  }));
  return { ...settings, parameters };
};

/** A fixed value goes with parameters that have one, and only with them; a list of values that is empty is none. */
export const bodyOf = (values: ToolValues): ToolValues => ({
  ...values,
  parameters: values.parameters.map(({ value, enum: choices, ...parameter }) => ({
    ...parameter,
    ...(choices === undefined || choices.length === 0 ? {} : { enum: choices }),
    ...(parameter.source === 'preset' ? { value: value ?? '' } : {}),
  })),
});

/** An argument of a test, read from the typed text. A text is kept as it is. @throws SyntaxError for a text that is no JSON */
export const argumentOf = (type: Tool['parameters'][number]['type'], typed: string): unknown =>
  type === 'string' ? typed : JSON.parse(typed);
