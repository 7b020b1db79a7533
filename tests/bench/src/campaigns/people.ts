// Spreadsheets of people who do not exist.

const exchanges = 800;
const lines = 10_000;
const areaCodes = ['415', '628', '212', '646', '312', '773', '713', '206'];

/** The n-th of 64 million numbers, none of which is like another. */
export const numberOf = (n: number): string => {
  const area = areaCodes[Math.floor(n / (exchanges * lines)) % areaCodes.length];
  const exchange = 200 + (Math.floor(n / lines) % exchanges);
  return `+1${area}${exchange}${String(n % lines).padStart(4, '0')}`;
};

/** The n-th of those whose simulated phone is busy, so that an attempt is over as soon as it was made. */
export const busyNumberOf = (n: number): string => numberOf(Math.floor(n / 10) * 100 + 70 + (n % 10));

/** A CSV file of so many people. */
export const csvOf = (rows: number, numberAt: (n: number) => string): Blob => {
  const lines = Array.from({ length: rows }, (_, n) => `${numberAt(n)},Person ${n}\n`);
  return new Blob(['phone_number,name\n', ...lines], { type: 'text/csv' });
};
