// A form of one operation: the contract's schema checks it, the platform's own findings land on their fields, and what was typed
// survives a reload.
import { isApiError, type Parts } from '@parlance/client';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import {
  type DefaultValues,
  type FieldValues,
  type Path,
  type Resolver,
  type UseFormReturn,
  useForm,
} from 'react-hook-form';
import type { ZodType } from 'zod';
import type { Answer } from '../data/client.js';
import { type CommandOptions, useCommand } from '../data/commands.js';
import type { OperationId, RequestOf } from '../data/types.js';
import { dropDraft, keepDraft, readDraft } from './drafts.js';
import { fieldOfPath } from './field-path.js';
import { contractResolver, sentenceOf } from './resolver.js';
import { bodySchemaOf } from './schemas.js';

export interface ContractFormOptions<Id extends OperationId, Values extends FieldValues>
  extends CommandOptions {
  /** The first values of the form. */
  readonly values: Values;
  /** Name of the draft, such as `agents.create`; without it nothing is kept. */
  readonly draft?: string;
  /** Fields that no draft keeps: passwords, keys, values of secrets. */
  readonly secretFields?: readonly (keyof Values & string)[];
  /** The body that the values make, before it is checked; the values themselves unless said. */
  readonly toBody?: (values: Values) => unknown;
  /** Headers that the values make, such as a code that is no part of the body. */
  readonly headersOf?: (values: Values) => Readonly<Record<string, string>>;
  /** The rest of the request, such as `params`. */
  readonly parts?: Omit<RequestOf<Id>, 'body'>;
  readonly onDone: (answer: Answer<Id>, values: Values) => unknown;
}

export interface ContractForm<Values extends FieldValues> {
  readonly operation: OperationId;
  /** The request that the form would send now, without a check. */
  readonly request: () => Parts;
  /** Names of fields that neither drafts nor commands may show. */
  readonly secretFields: readonly string[];
  readonly form: UseFormReturn<Values>;
  readonly submit: (event?: React.BaseSyntheticEvent) => Promise<void>;
  /** A failure of the last try. */
  readonly error: unknown;
  readonly isSending: boolean;
  /** Fetches the schema: the first field that gets the focus does so, and the first load of a page does without it. */
  readonly prepare: () => Promise<unknown>;
  /** Asked at the moment of leaving: a form that has just been sent has nothing to lose, also before it is drawn again. */
  readonly hasUnsaved: () => boolean;
  /** True where a draft of an earlier visit was put back. */
  readonly hasDraft: boolean;
  readonly discardDraft: () => void;
}

const draftDelayMs = 300;

interface Issue {
  readonly path: string;
  readonly message: string;
}

/** Findings about single fields. Rules with a code of their own, such as INVALID_ORIGIN, tell them as VALIDATION_ERROR does. */
const issuesOf = (failure: unknown): readonly Issue[] => {
  if (!isApiError(failure)) return [];
  const { issues } = (failure.details ?? {}) as { readonly issues?: readonly Issue[] }; // other errors have details of their own
  return Array.isArray(issues) ? issues : [];
};

/** Keeps what is typed, a moment after the last key. */
const useDraft = <Values extends FieldValues>(
  form: UseFormReturn<Values>,
  draft: string | undefined,
  secretFields: readonly string[] | undefined,
): void => {
  const secrets = useRef(secretFields);
  useEffect(() => {
    if (draft === undefined) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const following = form.watch((current) => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (form.formState.isDirty) keepDraft(draft, current, secrets.current);
      }, draftDelayMs);
    });
    return () => {
      clearTimeout(timer);
      following.unsubscribe();
    };
  }, [draft, form]);
};

export const useContractForm = <Id extends OperationId, Values extends FieldValues>(
  operation: Id,
  options: ContractFormOptions<Id, Values>,
): ContractForm<Values> => {
  const { values, draft, secretFields, toBody, headersOf, parts, onDone } = options;
  const headers = useRef<Readonly<Record<string, string>>>(undefined);
  const command = useCommand(operation, { ...options, headers: () => headers.current });
  const [error, setError] = useState<unknown>();
  const [restored, setRestored] = useState(() => (draft === undefined ? undefined : readDraft(draft)));
  const schema = useRef<Promise<ZodType>>(undefined);
  const prepare = useCallback((): Promise<ZodType> => {
    schema.current ??= bodySchemaOf(operation);
    return schema.current;
  }, [operation]);
  const bodyOf = useRef(toBody);
  bodyOf.current = toBody;
  const resolver = useMemo<Resolver<Values>>(
    () => contractResolver(prepare, (given) => bodyOf.current?.(given) ?? given),
    [prepare],
  );
  const form = useForm<Values>({ defaultValues: values as DefaultValues<Values>, resolver }); // all of them are there
  useDraft(form, draft, secretFields);
  useEffect(() => {
    for (const [name, value] of Object.entries(restored ?? {}))
      form.setValue(name as Path<Values>, value as never, { shouldDirty: true }); // kept by this form
  }, [form, restored]);

  const { isDirty } = form.formState;
  const isSent = useRef(false);
  useEffect(() => {
    if (isDirty) isSent.current = false;
  }, [isDirty]);

  const showFailure = (failure: unknown): void => {
    setError(failure);
    for (const { path, message } of issuesOf(failure))
      form.setError(fieldOfPath(path) as Path<Values>, { type: 'server', message: sentenceOf(message) }); // a path without a field shows nowhere; the note below the form stays
  };

  const submit = form.handleSubmit(async (given) => {
    setError(undefined);
    try {
      const body = bodyOf.current?.(given) ?? given;
      headers.current = headersOf?.(given);
      const answer = await command.mutateAsync({ ...parts, body } as unknown as RequestOf<Id>); // the resolver has checked the body
      if (draft !== undefined) dropDraft(draft);
      isSent.current = true;
      form.reset(given);
      await onDone(answer, given);
    } catch (failure) {
      showFailure(failure);
    }
  });

  return {
    operation,
    request: () => ({ ...parts, body: bodyOf.current?.(form.getValues()) ?? form.getValues() }) as Parts, // as it is typed
    secretFields: secretFields ?? [],
    form,
    submit,
    error,
    isSending: form.formState.isSubmitting,
    prepare,
    hasUnsaved: () => isDirty && !isSent.current,
    hasDraft: restored !== undefined,
    discardDraft: () => {
      if (draft !== undefined) dropDraft(draft);
      setRestored(undefined);
      form.reset(values);
    },
  };
};
