// Code, JSON and differences between two texts, to read and to copy.
import { componentStrings as strings } from '../strings/components.js';
import { cx } from './cx.js';
import { differenceOf } from './difference.js';
import { CopyButton } from './values.js';

/** @param name of the block, for the button that copies it */
export const CodeBlock = ({ code, name }: { readonly code: string; readonly name: string }) => (
  <div className="relative rounded-md border border-line bg-sunken">
    <section aria-label={name}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable with keys */}
      <pre tabIndex={0} className="max-h-96 overflow-auto p-3 pr-12 font-mono text-xs">
        <code>{code}</code>
      </pre>
    </section>
    <div className="absolute top-1 right-1 rounded bg-sunken">
      <CopyButton text={code} name={name} />
    </div>
  </div>
);

export const JsonView = ({ value, name }: { readonly value: unknown; readonly name: string }) => (
  <CodeBlock name={name} code={JSON.stringify(value, null, 2)} />
);

const signs = { same: ' ', added: '+', removed: '-' } as const;

/** Two texts line by line; each changed line says in words whether it was added or removed. */
export const DiffView = ({ before, after }: { readonly before: string; readonly after: string }) => {
  const lines = differenceOf(before, after);
  if (lines.every(({ kind }) => kind === 'same')) return <p className="text-ink-soft">{strings.unchanged}</p>;
  return (
    <ol className="overflow-auto rounded-md border border-line bg-sunken py-2 font-mono text-xs">
      {lines.map(({ kind, text, id }) => (
        <li
          key={id}
          className={cx(
            'px-3 whitespace-pre-wrap',
            kind === 'added' && 'bg-ok-soft text-ok',
            kind === 'removed' && 'bg-danger-soft text-danger',
          )}
        >
          <span aria-hidden>{signs[kind]} </span>
          {kind !== 'same' && <span className="sr-only">{strings[kind]} </span>}
          {text}
        </li>
      ))}
    </ol>
  );
};
