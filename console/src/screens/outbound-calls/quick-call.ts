// The request of the form of a quick call.

export interface QuickCallValues {
  agentId: string | undefined;
  phoneNumber: string | undefined;
  fromNumber: string | undefined;
  username: string | undefined;
  firstMessage: string | undefined;
  dynamicVariables: Readonly<Record<string, string>>;
  ringingTimeoutSeconds: number | undefined;
}

/** Numbers are pasted as people write them: `+1 (415) 555-0100`. */
export const compactNumber = (number: string): string => number.replaceAll(/[\s().\-/]/g, '');

/** The body, without fields that were left empty. */
export const quickCallBody = ({ dynamicVariables, phoneNumber, ...others }: QuickCallValues) => ({
  ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined && value !== '')),
  ...(phoneNumber === undefined ? {} : { phoneNumber: compactNumber(phoneNumber) }),
  ...(Object.keys(dynamicVariables).length === 0 ? {} : { dynamicVariables }),
});
