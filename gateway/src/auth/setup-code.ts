// The code that lets the first account of an empty installation in. Only a reader of the gateway's log, or the person
// who set the code, knows it. An address on the internet proves nothing about the owner of the machine.
import { createHmac } from 'node:crypto';

// The alphabet leaves out letters and digits that people mistake for each other.
const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const groups = 4;
const groupLength = 4;

/** 80 bits, the same in every gateway that has this secret. */
export const derivedSetupCode = (authSecret: string): string => {
  const bytes = createHmac('sha256', authSecret).update('parlance setup code').digest();
  const letters = Array.from({ length: groups * groupLength }, (_, index) =>
    alphabet.charAt((bytes[index] ?? 0) % alphabet.length),
  );
  return Array.from({ length: groups }, (_, group) =>
    letters.slice(group * groupLength, (group + 1) * groupLength).join(''),
  ).join('-');
};
