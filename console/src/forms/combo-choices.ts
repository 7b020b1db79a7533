// The choices of a field in which one is found by typing. Pure.
import type { Choice } from './choice-fields.js';

export interface ComboChoice extends Choice {
  readonly remark?: string;
  /** Choices of one group stand together below its name, which is searched too. */
  readonly group?: string;
  readonly badge?: string;
}

/** The choices that fit, those of a group side by side, in the order of their first ones. */
export const groupsOf = (
  choices: readonly ComboChoice[],
  typed: string,
): readonly (readonly [group: string, choices: readonly ComboChoice[]])[] => {
  const needle = typed.trim().toLowerCase();
  const groups = new Map<string, ComboChoice[]>();
  for (const choice of choices) {
    const { label, value, group = '' } = choice;
    if (![label, value, group].some((text) => text.toLowerCase().includes(needle))) continue;
    const members = groups.get(group);
    if (members === undefined) groups.set(group, [choice]);
    else members.push(choice);
  }
  return [...groups];
};
