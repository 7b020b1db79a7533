// Permissions in the page: a control that may not be used stays where it is, disabled, and tells why.
import { cloneElement, type ReactElement, useId } from 'react';
import { Tooltip } from '../components/tooltip.js';
import { accessOf } from '../data/access.js';
import type { OperationId } from '../data/types.js';
import { judge, type Verdict } from './permission-rules.js';
import { useCaller } from './session.js';

/** Whether the person may ask the operation, and otherwise the reason as a sentence. */
export const useCan = (operation: OperationId): Verdict => {
  const caller = useCaller();
  return judge(
    accessOf(operation),
    caller && {
      ...{ role: caller.role, permissions: caller.permissions },
      isVerified: caller.verified !== false,
    },
  );
};

interface Guardable {
  readonly 'aria-disabled'?: boolean;
  readonly 'aria-describedby'?: string;
  readonly onClick?: (event: { preventDefault(): void }) => void;
}

const stop = (event: { preventDefault(): void }): void => event.preventDefault();

/** Shows its child as it is where the operation is allowed. Elsewhere the child is disabled, stays focusable, and tells the reason. */
export const Guarded = ({
  operation,
  children,
}: {
  readonly operation: OperationId;
  /** One button or link. */
  readonly children: ReactElement<Guardable>;
}) => {
  const verdict = useCan(operation);
  const id = useId();
  if (verdict.allowed) return children;
  return (
    <Tooltip text={verdict.reason}>
      <span className="inline-flex">
        {cloneElement(children, { 'aria-disabled': true, 'aria-describedby': id, onClick: stop })}
        <span id={id} hidden>
          {verdict.reason}
        </span>
      </span>
    </Tooltip>
  );
};
