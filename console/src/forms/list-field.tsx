// A list of alike groups of fields, such as the parameters of a tool.
import { Plus, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useFieldArray, useFormState } from 'react-hook-form';
import { Button, IconButton } from '../components/button.js';
import { formStrings as strings } from '../strings/forms.js';

const own = (errors: unknown, name: string): string | undefined => {
  let at: unknown = errors;
  for (const part of name.split('.')) at = (at as Readonly<Record<string, unknown>> | undefined)?.[part]; // errors are objects by the parts of a path
  const { message, root } = (at ?? {}) as { message?: string; root?: { message?: string } }; // an error of the form
  return message ?? root?.message;
};

export const ListField = ({
  name,
  label,
  hint,
  addLabel,
  itemLabel,
  blank,
  children,
}: {
  readonly name: string;
  readonly label: string;
  readonly hint?: ReactNode;
  readonly addLabel: string;
  /** Name of one item, by its place from 1. */
  readonly itemLabel: (place: number) => string;
  /** A new item. */
  readonly blank: object;
  /** The fields of one item. @param path of the item, such as `parameters.0` */
  readonly children: (path: string) => ReactNode;
}) => {
  const { fields, append, remove } = useFieldArray({ name });
  const { errors } = useFormState({ name });
  const message = own(errors, name);
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-1 font-medium">{label}</legend>
      {hint !== undefined && <p className="text-xs text-ink-soft">{hint}</p>}
      {fields.map(({ id }, index) => (
        <fieldset key={id} className="flex min-w-0 flex-col gap-3 rounded-md border border-line p-3">
          <legend className="sr-only">{itemLabel(index + 1)}</legend>
          <div className="flex items-center justify-between">
            <span aria-hidden className="text-xs font-medium text-ink-soft">
              {itemLabel(index + 1)}
            </span>
            <IconButton
              name={strings.removeItem(itemLabel(index + 1))}
              icon={<Trash2 aria-hidden className="size-4" />}
              onClick={() => remove(index)}
            />
          </div>
          {children(`${name}.${index}`)}
        </fieldset>
      ))}
      <div>
        <Button icon={<Plus aria-hidden className="size-4" />} onClick={() => append({ ...blank })}>
          {addLabel}
        </Button>
      </div>
      {message !== undefined && (
        <p role="alert" className="text-xs font-medium text-danger">
          {message}
        </p>
      )}
    </fieldset>
  );
};
