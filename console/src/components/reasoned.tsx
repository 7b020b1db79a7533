// A control that cannot be used now: it stays where it is, can be reached with keys, and tells the reason.
import { cloneElement, createContext, type ReactElement, useId } from 'react';
import type { OperationId } from '../data/types.js';
import { Tooltip } from './tooltip.js';

/** The reason for which the person may not ask an operation, as a sentence; undefined where nothing is in the way. */
export const Refusal = createContext<(operation: OperationId) => string | undefined>(() => undefined);

export interface Reasonable {
  /** The operation that the control asks. Tests hold the controls of a page against the interface by it. */
  readonly 'data-operation'?: OperationId;
  readonly 'aria-disabled'?: boolean;
  readonly 'aria-describedby'?: string;
  readonly onClick?: (event: { preventDefault(): void }) => void;
}

const stop = (event: { preventDefault(): void }): void => event.preventDefault();

/** Shows its child as it is where there is no reason against it. */
export const Reasoned = ({
  reason,
  describedBy,
  children,
}: {
  readonly reason: string | undefined;
  /** Id of an element that shows the reason already. */
  readonly describedBy?: string;
  /** One button or link. */
  readonly children: ReactElement<Reasonable>;
}) => {
  const own = useId();
  if (reason === undefined) return children;
  const id = describedBy ?? own;
  return (
    <Tooltip text={reason}>
      <span className="inline-flex">
        {cloneElement(children, { 'aria-disabled': true, 'aria-describedby': id, onClick: stop })}
        {describedBy === undefined && (
          <span id={id} hidden>
            {reason}
          </span>
        )}
      </span>
    </Tooltip>
  );
};
