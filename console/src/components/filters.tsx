// Filters of a list. Their values live in the address, so that a filtered list can be sent and comes back on "back".
import { Search } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';

const settleMs = 250;

/** A text to search by; told a moment after the last key. */
export const SearchFilter = ({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) => {
  const [typed, setTyped] = useState(value);
  const tell = useRef(onChange);
  tell.current = onChange;
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => tell.current(typed), settleMs);
    return () => clearTimeout(timer);
  }, [typed, value]);
  return (
    <div className="relative w-full max-w-64">
      <Search aria-hidden className="absolute top-2.5 left-2.5 size-4 text-ink-soft" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        className="input pl-8"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
    </div>
  );
};

/** A control with its label beside it. */
export const LabelledFilter = ({
  label,
  children,
}: {
  readonly label: string;
  readonly children: (id: string) => React.ReactNode;
}) => {
  const id = useId();
  return (
    <span className="flex items-center gap-2">
      <label htmlFor={id} className="text-ink-soft">
        {label}
      </label>
      {children(id)}
    </span>
  );
};

/** One of several values, or all of them. @param value empty: all */
export const SelectFilter = ({
  label,
  value,
  choices,
  allLabel,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  /** With it, all values can be chosen. */
  readonly allLabel?: string;
  readonly onChange: (value: string) => void;
}) => (
  <LabelledFilter label={label}>
    {(id) => (
      <select
        id={id}
        className="input w-auto max-w-56"
        value={value}
        onChange={({ target }) => onChange(target.value)}
      >
        {allLabel !== undefined && <option value="">{allLabel}</option>}
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    )}
  </LabelledFilter>
);

/** Filters side by side, above a list. */
export const FilterBar = ({ children }: { readonly children: React.ReactNode }) => (
  <div className="flex flex-wrap items-center gap-3">{children}</div>
);
