// A field for choosing one of many by typing a part of its name.
import * as Popover from '@radix-ui/react-popover';
import { Check, ChevronsUpDown } from 'lucide-react';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { useController } from 'react-hook-form';
import { cx } from '../components/cx.js';
import { FieldShell } from '../components/field-shell.js';
import { formStrings as strings } from '../strings/forms.js';
import { type ComboChoice, groupsOf } from './combo-choices.js';
import { type Empty, type FieldProps, shellOf } from './fields.js';

/** More choices are found by typing. */
const mostShown = 100;

export interface ComboFieldProps extends FieldProps {
  readonly choices: readonly ComboChoice[];
  /** With `emptyLabel`: the value that the choice of nothing stands for. */
  readonly empty?: Empty;
  readonly emptyLabel?: string;
}

export const ComboField = ({ choices, empty, emptyLabel, ...field }: ComboFieldProps) => {
  const { field: control, fieldState } = useController({ name: field.name });
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  const all = emptyLabel === undefined ? choices : [{ value: '', label: emptyLabel }, ...choices];
  const groups = groupsOf(all, typed);
  const shown = groups.flatMap(([, choices]) => choices).slice(0, mostShown);
  const current = choices.find(({ value }) => value === control.value);
  const show = (next: boolean): void => {
    setOpen(next);
    setTyped('');
    setAt(0);
  };
  const choose = (value: string): void => {
    control.onChange(value === '' ? empty : value);
    show(false);
  };
  const move = (by: number): void => {
    const next = Math.min(Math.max(at + by, 0), shown.length - 1);
    setAt(next);
    document.getElementById(`${listId}-${next}`)?.scrollIntoView({ block: 'nearest' });
  };
  const follow = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (open) move(event.key === 'ArrowDown' ? 1 : -1);
      else show(true);
    }
    if (event.key === 'Enter' && open) {
      event.preventDefault();
      const chosen = shown[at];
      if (chosen !== undefined) choose(chosen.value);
    }
    if (event.key === 'Escape' && open) {
      event.stopPropagation();
      show(false);
    }
    if (event.key === 'Tab') show(false);
  };
  const option = (choice: ComboChoice, index: number) => (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the input, which keeps the focus
    <div
      key={choice.value}
      id={`${listId}-${index}`}
      role="option"
      tabIndex={-1}
      aria-selected={choice.value === (control.value ?? '')}
      onMouseDown={(event) => event.preventDefault()}
      onMouseMove={() => setAt(index)}
      onClick={() => choose(choice.value)}
      className={cx('flex items-center gap-2 rounded px-2.5 py-1.5', index === at && 'bg-sunken')}
    >
      <span className="min-w-0">
        {choice.label}
        {choice.badge !== undefined && (
          <span className="ml-2 rounded-full bg-accent-soft px-2 py-0.5 text-xs font-medium text-accent">
            {choice.badge}
          </span>
        )}
        {choice.remark !== undefined && <span className="block text-xs text-ink-soft">{choice.remark}</span>}
      </span>
      {choice.value === control.value && <Check aria-hidden className="ml-auto size-4" />}
    </div>
  );
  return (
    <FieldShell {...shellOf(field)} error={fieldState.error?.message}>
      {(ids) => (
        <Popover.Root open={open} onOpenChange={show}>
          <Popover.Anchor asChild>
            <span className="relative block">
              <input
                {...ids}
                role="combobox"
                aria-expanded={open}
                aria-controls={listId}
                aria-autocomplete="list"
                aria-activedescendant={open && shown.length > 0 ? `${listId}-${at}` : undefined}
                autoComplete="off"
                disabled={field.disabled}
                className="input pr-8"
                placeholder={emptyLabel ?? strings.choose}
                ref={(element) => {
                  input.current = element;
                  control.ref(element);
                }}
                value={open ? typed : (current?.label ?? control.value ?? '')}
                onFocus={({ target }) => target.select()}
                onClick={() => !open && show(true)}
                onBlur={control.onBlur}
                onKeyDown={follow}
                onChange={({ target }) => {
                  setOpen(true);
                  setAt(0);
                  setTyped(target.value);
                }}
              />
              <ChevronsUpDown
                aria-hidden
                className="pointer-events-none absolute top-2.5 right-2.5 size-4 text-ink-soft"
              />
            </span>
          </Popover.Anchor>
          <Popover.Portal>
            <Popover.Content
              align="start"
              sideOffset={4}
              onOpenAutoFocus={(event) => event.preventDefault()}
              onCloseAutoFocus={(event) => event.preventDefault()}
              onInteractOutside={(event) => {
                if (event.target instanceof Node && input.current?.contains(event.target))
                  event.preventDefault();
              }}
              aria-label={typeof field.label === 'string' ? field.label : field.name}
              className="z-50 w-(--radix-popover-trigger-width) rounded-lg border border-line bg-raised p-1 shadow-xl"
            >
              <div
                id={listId}
                role="listbox"
                tabIndex={-1}
                aria-label={typeof field.label === 'string' ? field.label : field.name}
                className="max-h-64 overflow-y-auto"
              >
                {groups.map(([group, members]) => {
                  const options = members.flatMap((choice) => {
                    const index = shown.indexOf(choice);
                    return index < 0 ? [] : [option(choice, index)];
                  });
                  if (group === '' || options.length === 0) return options;
                  return (
                    // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a list of options
                    <div key={group} role="group" aria-label={group}>
                      <p aria-hidden className="px-2.5 pt-2 pb-0.5 text-xs font-medium text-ink-soft">
                        {group}
                      </p>
                      {options}
                    </div>
                  );
                })}
                {shown.length === 0 && <p className="px-2.5 py-1.5 text-ink-soft">{strings.nothingFound}</p>}
              </div>
            </Popover.Content>
          </Popover.Portal>
        </Popover.Root>
      )}
    </FieldShell>
  );
};
