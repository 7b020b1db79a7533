// How TypeScript sources become JavaScript without a build: in tests, and in `npm run dev`.

/** The export condition under which every workspace offers its sources. */
export const sourceCondition = 'parlance-source';

export const swcOptions = {
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    target: 'es2022',
    keepClassNames: true,
  },
  module: { type: 'es6' },
};
