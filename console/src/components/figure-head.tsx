import type { ReactNode } from 'react';
import { cx } from './cx.js';

/** The head of a table of figures: text in the first column, numbers in the others. */
export const FigureHead = ({
  columns,
  children,
}: {
  readonly columns: readonly string[];
  /** A cell without a heading, such as that of bars. */
  readonly children?: ReactNode;
}) => (
  <thead className="text-left text-xs text-ink-soft">
    <tr>
      {columns.map((name, index) => (
        <th key={name} scope="col" className={cx('pb-1 font-medium', index > 0 && 'pl-4 text-right')}>
          {name}
        </th>
      ))}
      {children}
    </tr>
  </thead>
);
