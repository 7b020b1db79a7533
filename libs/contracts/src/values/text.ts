// Building blocks of every schema: strings without traps, numbers and switches as they come in a query string.
import type { ErrorCode } from '@parlance/errors';
import { LosslessNumber, stringifyJson } from '@parlance/json';
import { parsePhoneNumberFromString } from 'libphonenumber-js/core';
import numberingPlans from 'libphonenumber-js/min/metadata';
import { z } from 'zod';
import { jsonNumber } from './json-number.js';
import { timeZoneNamed, timeZoneProblem } from './time-zone.js';

// U+0000 cannot be stored, a lone surrogate cannot be encoded.
const storable = (value: string): boolean => !value.includes('\u0000') && !/\p{Surrogate}/u.test(value);

/** A string of min to max UTF-16 units, without U+0000 and lone surrogates. */
export const text = (min: number, max: number) =>
  z.string().min(min).max(max).refine(storable, { message: 'contains characters that cannot be stored' });

// Controls, white space, marks without a letter, and characters that Unicode draws as nothing; the blank of Braille is a symbol.
const unseen = /^[\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** True for a text of which a reader sees something. Every name that people give has to pass, in each schema. */
export const isVisible = (value: string): boolean => !unseen.test(value);

/** A name that people give: without the white space around it, and in one Unicode form, so that equal names are equal. */
export const name = (min: number, max: number) =>
  z
    .string()
    .trim()
    .normalize('NFC')
    .min(min)
    .max(max)
    .refine(storable, { message: 'contains characters that cannot be stored' })
    .refine(isVisible, { message: 'must have a character that can be seen' });

/** The text without the characters that cannot be stored. */
export const storableText = (value: string): string =>
  value.replaceAll('\u0000', '').replace(/\p{Surrogate}/gu, '');

/** The value without the characters that cannot be stored, in its texts and its keys. */
export const storableJson = (value: z.core.util.JSONType): z.core.util.JSONType => {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(storableJson);
  if (typeof value !== 'object' || value === null || value instanceof LosslessNumber) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [storableText(key), storableJson(inner)] as const),
  );
};

/** Any JSON value whose strings can be stored. */
export const json: z.ZodType<z.core.util.JSONType, z.core.util.JSONType> = z
  .lazy(() =>
    z.union([
      z.string().refine(storable, { message: 'contains characters that cannot be stored' }),
      jsonNumber,
      z.boolean(),
      z.null(),
      z.array(json),
      z.record(z.string().refine(storable), json),
    ]),
  )
  .meta({ id: 'Json', description: 'any JSON value' });

/** Any JSON value, for events that are stored already. */
export const storedJson: z.ZodType<z.core.util.JSONType, z.core.util.JSONType> = z.lazy(() =>
  z.union([
    z.string(),
    jsonNumber,
    z.boolean(),
    z.null(),
    z.array(storedJson),
    z.record(z.string(), storedJson),
  ]),
);

/** A custom issue that makes the whole answer this code instead of VALIDATION_ERROR. */
export const answersWith = (code: ErrorCode, message: string) => ({ message, params: { code } });

/** The bounds of whole numbers that travel as text. By them the interface document describes such texts as numbers. */
export const wholeNumbers = z.registry<{ readonly minimum: number; readonly maximum: number }>();

/** A whole number in a query string: decimal digits only, no signs, no exponents. */
export const queryInteger = (min: number, max: number) =>
  z
    .string()
    .regex(/^(0|[1-9]\d{0,8})$/, 'must be a whole number')
    .refine((value) => Number(value) >= min && Number(value) <= max, `must be from ${min} to ${max}`)
    .transform(Number)
    .meta({ description: `integer from ${min} to ${max}` })
    .register(wholeNumbers, { minimum: min, maximum: max });

/** Page size, 1 to 100, 20 unless said. */
export const limit = queryInteger(1, 100).optional();

/** The size of a file that will be uploaded. */
export const uploadBytes = queryInteger(0, 999_999_999).optional();
export const cursor = text(1, 2_048).optional();

/** Any UUID of any version; in lower case, because it becomes part of stream names and keys. */
export const uuid = z.guid().toLowerCase();
export const timestamp = z.iso
  .datetime({ precision: 3 })
  .meta({ description: 'ISO 8601, UTC, milliseconds' });
/** A moment as callers write it: any ISO 8601 offset and precision. */
export const moment = z.iso.datetime({ offset: true });
export const micros = z.int().meta({ description: 'millionths of a unit of currency' });
export const currency = z.string().regex(/^[A-Z]{3}$/);

/** A number with an extension behind it, as people and telephones write it: `x12`, `ext. 12`, `;ext=12`, `#12`, `,12`. */
const withExtension = /^\+?[\d\s().-]{6,}(?:[;,]?\s*(?:extension|extn?|x)[\s.:=]*|[#,;*]+\s*)\d/i;

/** Names the extension, where there is one: most software would drop it and reach somebody else. */
const notANumber = {
  error: ({ input }: { readonly input?: unknown }): string =>
    withExtension.test(String(input))
      ? 'has an extension, which cannot be dialled: write the number without it'
      : 'must be a phone number in E.164 form',
  params: { code: 'INVALID_PHONE_NUMBER' satisfies ErrorCode },
};

/**
 * False for a number with a plus that has another canonical form, such as +4402079460000. Two spellings of one number would
 * pass for two numbers wherever numbers are compared. A text that is no number at all passes here.
 */
const isCanonical = (value: string): boolean =>
  !value.startsWith('+') || (parsePhoneNumberFromString(value, numberingPlans)?.number ?? value) === value;

/** E.164 by its letters, such as +14155550100; one number may have several spellings. */
export const phoneNumberAsWritten = text(1, 32).refine(
  (value) => /^\+[1-9]\d{6,14}$/.test(value),
  notANumber,
);

/** E.164 in the one canonical spelling, such as +14155550100. */
export const phoneNumber = phoneNumberAsWritten.refine(isCanonical, notANumber);

/**
 * A number to dial: E.164 in its canonical spelling, or digits without the plus, which the dialer reads as the caller's
 * country writes them. Short codes pass here, and the dialer refuses them with DESTINATION_NOT_ALLOWED. So a person who
 * types 911 learns that the number is refused, not that it is mistyped.
 */
export const dialableNumber = text(1, 32)
  .refine((value) => /^(?:\+[1-9]\d{2,14}|\d{3,15})$/.test(value), notANumber)
  .refine(isCanonical, notANumber);

/** An IANA time zone by its place, or UTC; see `timeZoneNamed`. */
export const timezone = text(1, 64)
  .overwrite((value) => timeZoneNamed(value) ?? value)
  .refine((value) => timeZoneNamed(value) !== undefined, {
    error: ({ input }) => timeZoneProblem(String(input)),
  });

/** Name of a variable; dots are for paths inside a value, so a name cannot pass for `system.` or `secrets.`. */
export const variableName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/);

/** A map of at most so many keys. */
export const mapOf = <V extends z.core.SomeType>(key: z.ZodString, value: V, maxProperties: number) =>
  z
    .record(key, value)
    .refine((map) => Object.keys(map).length <= maxProperties, `may have at most ${maxProperties} keys`)
    .meta({ maxProperties });

/** Variables of a conversation: up to 64, keys like identifiers, values up to 2,000 characters. */
export const stringMap = mapOf(variableName, text(0, 2_000), 64);

/** Free JSON that is kept and echoed, up to 16 KiB. */
export const metadata = z
  .record(text(1, 64), json)
  .refine((value) => stringifyJson(value).length <= 16_384, 'may have at most 16 KiB');

/** The `data` of an operation that answers only a message. */
export const noData = z.undefined().meta({ description: 'no data' });
