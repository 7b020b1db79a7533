// The messages between `npm run dev` and a process that runs from sources.

export type FromSource =
  /** A source file that the process loads. */
  | { readonly file: string }
  /** The address of a package's module that one of them imports. */
  | { readonly library: string }
  /** Its code is loaded. */
  | 'loaded'
  /** It answers. */
  | 'ready'
  /** Why its code does not load, or does not start. */
  | { readonly refused: string };

export type ToSource =
  /** Loads its code; these modules of packages, which do not change, are loaded before. */
  | { readonly libraries: readonly string[] }
  | 'load'
  /** The environment with which it starts. */
  | { readonly variables: Readonly<Record<string, string>> }
  /** The widget that the gateway shows at /widget-demo. */
  | { readonly demoWidget: object };
