// Buttons, and links that look like them.
import { createLink, type LinkComponent } from '@tanstack/react-router';
import { LoaderCircle } from 'lucide-react';
import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { cx } from './cx.js';

export type ButtonKind = 'primary' | 'secondary' | 'quiet' | 'danger';

const base =
  'inline-flex min-h-9 items-center justify-center gap-1.5 rounded-md px-3 py-1.5 font-medium whitespace-nowrap transition-colors ' +
  'aria-disabled:cursor-not-allowed disabled:cursor-not-allowed';
const off =
  'aria-disabled:border-line aria-disabled:bg-sunken aria-disabled:text-ink-soft disabled:border-line disabled:bg-sunken disabled:text-ink-soft';
const kinds: Readonly<Record<ButtonKind, string>> = {
  primary: 'border border-transparent bg-accent text-accent-ink hover:brightness-110',
  secondary: 'border border-line-strong bg-raised text-ink hover:bg-sunken',
  quiet: 'border border-transparent text-ink hover:bg-sunken',
  danger: 'border border-danger bg-raised text-danger hover:bg-danger-soft',
};

export const buttonClass = (kind: ButtonKind, extra?: string): string => cx(base, kinds[kind], off, extra);

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: ButtonKind;
  /** Shows that work is going on; further clicks do nothing. */
  readonly busy?: boolean;
  readonly icon?: ReactNode;
  readonly ref?: Ref<HTMLButtonElement>;
}

export const Button = ({
  kind = 'secondary',
  busy = false,
  icon,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) => (
  <button
    {...rest}
    type={type}
    className={buttonClass(kind, className)}
    {...(busy ? { 'aria-disabled': true, 'aria-busy': true } : {})}
    onClick={(event) => {
      if (busy) event.preventDefault();
      else onClick?.(event);
    }}
  >
    {busy ? <LoaderCircle aria-hidden className="size-4 animate-spin" /> : icon}
    {children}
  </button>
);

/** A button that is only a picture; the name is for everybody who does not see it. */
export const IconButton = ({
  name,
  icon,
  className,
  ...rest
}: Omit<ButtonProps, 'children' | 'icon' | 'busy'> & { readonly name: string; readonly icon: ReactNode }) => (
  <button
    type="button"
    {...rest}
    aria-label={name}
    className={cx(
      'inline-flex size-9 shrink-0 items-center justify-center rounded-md text-ink-soft hover:bg-sunken hover:text-ink',
      className,
    )}
  >
    {icon}
  </button>
);

interface AnchorProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly kind?: ButtonKind;
  readonly icon?: ReactNode;
  readonly ref?: Ref<HTMLAnchorElement>;
}

const Anchor = ({ kind = 'secondary', icon, className, children, ...rest }: AnchorProps) => (
  <a {...rest} className={buttonClass(kind, className)}>
    {icon}
    {children}
  </a>
);

const Created = createLink(Anchor);

/** A link of the router with the looks of a button. */
export const ButtonLink: LinkComponent<typeof Anchor> = (props) => <Created {...props} />;
