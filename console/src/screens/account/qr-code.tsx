// A QR code, drawn here: the secret in it goes to nobody.
import { encode } from 'uqr';

/** Dark modules as one path; the light ground belongs to it, because readers want the contrast in dark pages too. */
export const QrCode = ({ text, name }: { readonly text: string; readonly name: string }) => {
  const { data, size } = encode(text, { border: 3 });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg role="img" aria-label={name} viewBox={`0 0 ${size} ${size}`} className="mx-auto size-52 rounded-md">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
};
