// Types of the used parts of libraries that have no types.
declare module 'turndown' {
  namespace TurndownService {
    /** A node of any DOM. */
    interface Node {
      readonly nodeType: number;
    }
    interface Rule {
      readonly filter: string | readonly string[];
      readonly replacement: (content: string, node: Node) => string;
    }
  }
  class TurndownService {
    constructor(options?: Readonly<Record<string, string>>);
    escape: (text: string) => string;
    remove(filter: readonly string[]): this;
    addRule(name: string, rule: TurndownService.Rule): this;
    turndown(input: string | TurndownService.Node): string;
  }
  export = TurndownService;
}
