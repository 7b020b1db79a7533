// The first words of the agent in a conversation in text, as its configuration has them.
import { type CallContext, fillText, isEmptyValue } from '@parlance/contracts';
import type { ReadyAgent } from '../widgets/agents.js';

/** Null for an agent that lets the visitor begin. The variables of the call come before the agent's defaults. */
export const firstMessageOf = (
  { firstMessage, variables }: ReadyAgent,
  { dynamicVariables }: CallContext,
): string | null => {
  const valueIn = (values: Readonly<Record<string, string | null>>, name: string): string | undefined =>
    Object.hasOwn(values, name) && !isEmptyValue(values[name] ?? '')
      ? (values[name] ?? undefined)
      : undefined;
  const filled = fillText(
    firstMessage,
    (name) => valueIn(dynamicVariables, name) ?? valueIn(variables, name),
  );
  return filled.trim() === '' ? null : filled;
};
