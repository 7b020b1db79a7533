// The request of the form of a quick call.
import { compactNumber } from '../../forms/phone-text.js';

export interface QuickCallValues {
  agentId: string | undefined;
  phoneNumber: string | undefined;
  fromNumber: string | undefined;
  username: string | undefined;
  firstMessage: string | undefined;
  dynamicVariables: Readonly<Record<string, string>>;
  ringingTimeoutSeconds: number | undefined;
}

/** The body, without fields that were left empty. */
export const quickCallBody = ({ dynamicVariables, phoneNumber, ...others }: QuickCallValues) => ({
  ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined && value !== '')),
  ...(phoneNumber === undefined ? {} : { phoneNumber: compactNumber(phoneNumber) }),
  ...(Object.keys(dynamicVariables).length === 0 ? {} : { dynamicVariables }),
});
