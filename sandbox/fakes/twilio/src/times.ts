// Times as the first API of Twilio writes them: to the second.
export const rfc2822 = (iso: string): string => new Date(iso).toUTCString().replace('GMT', '+0000');
