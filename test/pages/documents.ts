import { DomUtils, ElementType, parseDocument } from 'htmlparser2';

type Document = ReturnType<typeof parseDocument>;
type Element = ReturnType<typeof DomUtils.getElementsByTagName>[number];

/** A page as a browser reads it, for tests that look into it. */
export class PageDocument {
  readonly source: string;
  readonly root: Document;

  constructor(source: string) {
    this.source = source;
    this.root = parseDocument(source);
  }

  all(tag: string): Element[] {
    return DomUtils.getElementsByTagName(tag, this.root, true);
  }

  text(tag: string): string[] {
    return this.all(tag).map((element) => DomUtils.textContent(element));
  }

  attribute(tag: string, name: string): (string | undefined)[] {
    return this.all(tag).map((element) => element.attribs[name]);
  }

  /** Every attribute of every element, as pairs. */
  attributes(): [string, string][] {
    const elements = DomUtils.find(
      (node) => ElementType.isTag(node),
      this.root.children,
      true,
      Number.POSITIVE_INFINITY,
    );
    return (elements as Element[]).flatMap((element) => Object.entries(element.attribs));
  }

  /** The title of what the page says: the second heading under a workspace's name, else the only one. */
  get heading(): string {
    return this.text('h2')[0] ?? this.text('h1')[0] ?? '';
  }
}
