/** The sign of the product; its name stands beside it. */
export const Mark = () => (
  <svg aria-hidden viewBox="0 0 32 32" className="size-7">
    <rect width="32" height="32" rx="8" className="fill-accent" />
    <path
      d="M9 13v6M13.7 9.5v13M18.3 12v8M23 14.5v3"
      className="fill-none stroke-accent-ink"
      strokeWidth="2.6"
      strokeLinecap="round"
    />
  </svg>
);
