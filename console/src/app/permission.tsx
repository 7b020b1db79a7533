// Permissions in the page: a control that may not be used stays where it is, disabled, and tells why.
import { cloneElement, type ReactElement, type ReactNode } from 'react';
import { type Reasonable, Reasoned, Refusal } from '../components/reasoned.js';
import { accessOf } from '../data/access.js';
import type { OperationId } from '../data/types.js';
import { judge, type Standing, type Verdict } from './permission-rules.js';
import { useCaller } from './session.js';

const useStanding = (): Standing | undefined => {
  const caller = useCaller();
  return (
    caller && {
      ...{ role: caller.role, permissions: caller.permissions },
      isVerified: caller.verified !== false,
    }
  );
};

/** Whether the person may ask the operation, and otherwise the reason as a sentence. */
export const useCan = (operation: OperationId): Verdict => judge(accessOf(operation), useStanding());

/** Shows its child as it is where the operation is allowed. Elsewhere the child is disabled, stays focusable, and tells the reason. */
export const Guarded = ({
  operation,
  reason,
  children,
}: {
  readonly operation: OperationId;
  /** Another reason against it, for people who may. */
  readonly reason?: string | undefined;
  /** One button or link. */
  readonly children: ReactElement<Reasonable>;
}) => {
  const verdict = useCan(operation);
  return (
    <Reasoned reason={verdict.allowed ? reason : verdict.reason}>
      {cloneElement(children, { 'data-operation': operation })}
    </Reasoned>
  );
};

/** Tells every form below whether it may be sent. Permissions that are on their way refuse nothing. */
export const Refusals = ({ children }: { readonly children: ReactNode }) => {
  const standing = useStanding();
  const reasonOf = (operation: OperationId): string | undefined => {
    const verdict: Verdict =
      standing === undefined ? { allowed: true } : judge(accessOf(operation), standing);
    return verdict.allowed ? undefined : verdict.reason;
  };
  return <Refusal value={reasonOf}>{children}</Refusal>;
};
