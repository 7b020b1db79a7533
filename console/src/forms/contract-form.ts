// A form of one operation. The contract's schema checks it, and the platform's own findings land on their fields. Typed values survive
// a reload.
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
import { changedFields } from './changed-fields.js';
import { draftOwner } from './draft-owner.js';
import { type Draft, draftOf } from './drafts.js';
import { fieldOfPath } from './field-path.js';
import { contractResolver, sentenceOf } from './resolver.js';
import { bodySchemaOf } from './schemas.js';

export interface ContractFormOptions<Id extends OperationId, Values extends FieldValues>
  extends CommandOptions {
  /** The first values of the form. A form without a change follows them, as others save them. */
  readonly values: Values;
  /** Name of the draft, such as `agents.create`; without it nothing is kept. */
  readonly draft?: string;
  /** The draft keeps fields without a change too: the version that a save replaces belongs to all of them. */
  readonly draftsWhole?: true;
  /** Fields that no draft keeps: passwords, keys, values of secrets. */
  readonly secretFields?: readonly (keyof Values & string)[];
  /**
   * The body that the values make, before it is checked; the values themselves unless said.
   * @param first the values without the person's changes, for an operation that takes the changes alone
   */
  readonly toBody?: (values: Values, first: Values) => unknown;
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
  /** Asked at the moment of leaving. A form that has just been sent has nothing to lose, also before it is drawn again. */
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

interface Drafting {
  readonly secretFields: readonly string[] | undefined;
  readonly isWhole: boolean;
  /** False for values that are as they were, or that have been sent. */
  readonly hasUnsaved: () => boolean;
}

/** Keeps typed values, a moment after the last key, and at once when the form or the page is closed. Values taken back by hand are no draft. */
const useDraft = <Values extends FieldValues>(
  form: UseFormReturn<Values>,
  draft: Draft | undefined,
  drafting: Drafting,
): void => {
  const present = useRef(drafting);
  present.current = drafting;
  useEffect(() => {
    if (draft === undefined) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const write = (): void => {
      clearTimeout(timer);
      timer = undefined;
      const { hasUnsaved, isWhole, secretFields } = present.current;
      const [before, values] = [form.formState.defaultValues ?? {}, form.getValues()];
      if (hasUnsaved()) draft.keep(isWhole ? values : changedFields(before, values), secretFields);
      else draft.drop();
    };
    const following = form.watch(() => {
      clearTimeout(timer);
      timer = setTimeout(write, draftDelayMs);
    });
    const writeNow = (): void => {
      if (timer !== undefined) write();
    };
    // A reload unmounts nothing.
    window.addEventListener('pagehide', writeNow);
    return () => {
      window.removeEventListener('pagehide', writeNow);
      following.unsubscribe();
      writeNow();
    };
  }, [draft, form]);
};

/** Nothing is written yet: the form shows the values that others save. */
const useFreshValues = <Values extends FieldValues>(form: UseFormReturn<Values>, values: Values): void => {
  const text = JSON.stringify(values);
  const [shown, newest] = [useRef(text), useRef(values)];
  newest.current = values;
  const { isDirty } = form.formState;
  useEffect(() => {
    if (isDirty || shown.current === text) return;
    shown.current = text;
    form.reset(newest.current);
  }, [form, isDirty, text, shown, newest]);
};

export const useContractForm = <Id extends OperationId, Values extends FieldValues>(
  operation: Id,
  options: ContractFormOptions<Id, Values>,
): ContractForm<Values> => {
  const {
    values,
    draft: name,
    draftsWhole = false,
    secretFields,
    toBody,
    headersOf,
    parts,
    onDone,
  } = options;
  const headers = useRef<Readonly<Record<string, string>>>(undefined);
  const command = useCommand(operation, { ...options, headers: () => headers.current });
  const [error, setError] = useState<unknown>();
  const [owner] = useState(draftOwner);
  const draft = useMemo(() => (name === undefined ? undefined : draftOf(name, owner)), [name, owner]);
  const [restored, setRestored] = useState(() => draft?.read());
  const schema = useRef<Promise<ZodType>>(undefined);
  const prepare = useCallback((): Promise<ZodType> => {
    schema.current ??= bodySchemaOf(operation);
    return schema.current;
  }, [operation]);
  const bodyOf = useRef<(given: Values) => unknown>((given) => given);
  const resolver = useMemo<Resolver<Values>>(
    () => contractResolver(prepare, (given) => bodyOf.current(given)),
    [prepare],
  );
  const form = useForm<Values>({ defaultValues: values as DefaultValues<Values>, resolver }); // all of them are there
  bodyOf.current = (given) => toBody?.(given, form.formState.defaultValues as Values) ?? given; // all of them, as above
  useEffect(() => {
    for (const [field, value] of Object.entries(restored ?? {}))
      form.setValue(field as Path<Values>, value as never, { shouldDirty: true }); // kept by this form
  }, [form, restored]);

  const { isDirty } = form.formState;
  const isSent = useRef(false);
  useEffect(() => {
    if (isDirty) isSent.current = false;
  }, [isDirty]);
  const hasUnsaved = (): boolean => form.formState.isDirty && !isSent.current;
  useDraft(form, draft, { secretFields, isWhole: draftsWhole, hasUnsaved });
  useFreshValues(form, values);

  const showFailure = (failure: unknown): void => {
    setError(failure);
    for (const { path, message } of issuesOf(failure))
      form.setError(fieldOfPath(path) as Path<Values>, { type: 'server', message: sentenceOf(message) }); // a path without a field shows nowhere; the note below the form stays
  };

  const submit = form.handleSubmit(async (given) => {
    setError(undefined);
    try {
      const body = bodyOf.current(given);
      headers.current = headersOf?.(given);
      const answer = await command.mutateAsync({ ...parts, body } as unknown as RequestOf<Id>); // the resolver has checked the body
      draft?.drop();
      setRestored(undefined);
      isSent.current = true;
      form.reset(given);
      await onDone(answer, given);
    } catch (failure) {
      showFailure(failure);
    }
  });

  return {
    operation,
    request: () => ({ ...parts, body: bodyOf.current(form.getValues()) }) as Parts, // as it is typed
    secretFields: secretFields ?? [],
    form,
    submit,
    error,
    isSending: form.formState.isSubmitting,
    prepare,
    hasUnsaved,
    hasDraft: restored !== undefined,
    discardDraft: () => {
      draft?.drop();
      setRestored(undefined);
      form.reset(values);
    },
  };
};
