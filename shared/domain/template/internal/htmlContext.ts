/** What a value at a position of HTML would be read as. `forbidden`: no escaping can make it safe there. */
type HtmlContext = 'text' | 'attribute' | 'link' | 'image' | 'component' | 'forbidden';

type State =
  | 'text'
  | 'markup'
  | 'tag name'
  | 'in tag'
  | 'attribute name'
  | 'before value'
  | 'double quoted'
  | 'single quoted'
  | 'unquoted'
  | 'comment'
  | 'raw text';

/** Elements with content that is not HTML (HTML Standard, 13.1.2, "Elements"). */
const rawTexts: ReadonlySet<string> = new Set(['script', 'style', 'xmp', 'iframe', 'noembed', 'noframes', 'plaintext']);
/** Attributes that hold an address. */
const addresses: Readonly<Record<string, 'link' | 'image'>> = { href: 'link', src: 'image', background: 'image' };
/** Attributes that hold text or a name. */
const texts =
  /^(alt|title|lang|dir|id|name|class|width|height|align|valign|bgcolor|color|label|summary|aria-[a-z]+|data-[a-z-]+)$/;

/** Reads HTML piece by piece, as a browser's tokenizer does, and knows the context of the current position. */
export class HtmlPosition {
  #state: State = 'text';
  #name = '';
  #attribute = '';
  #value = '';
  #recent = '';

  /** The context of a value at the current position. */
  get context(): HtmlContext {
    if (this.#state === 'text') return 'text';
    if (this.#state !== 'double quoted' && this.#state !== 'single quoted') return 'forbidden';
    const address = Object.hasOwn(addresses, this.#attribute) ? addresses[this.#attribute] : undefined;
    if (address) return this.#value.trim() === '' ? address : 'component';
    return texts.test(this.#attribute) ? 'attribute' : 'forbidden';
  }

  /** Continues after an escaped value. */
  skipValue(): void {
    this.#value += 'x';
    this.#recent = '';
  }

  read(html: string): void {
    for (const character of html) this.#step(character);
  }

  #step(character: string): void {
    this.#recent = (this.#recent + character).slice(-16).toLowerCase();
    this.#steps[this.#state](character);
  }

  readonly #steps: Readonly<Record<State, (character: string) => void>> = {
    text: (character) => {
      if (character === '<') this.#state = 'markup';
    },
    markup: (character) => this.#markup(character),
    'tag name': (character) => {
      if (character === '>') this.#endTag();
      else if (/[\s/]/.test(character)) this.#state = 'in tag';
      else this.#name += character.toLowerCase();
    },
    'in tag': (character) => this.#inTag(character),
    'attribute name': (character) => this.#inTag(character),
    'before value': (character) => this.#beforeValue(character),
    'double quoted': (character) => this.#quoted(character, '"'),
    'single quoted': (character) => this.#quoted(character, "'"),
    unquoted: (character) => {
      if (character === '>') this.#endTag();
      else if (/\s/.test(character)) this.#state = 'in tag';
    },
    comment: (character) => this.#comment(character),
    'raw text': (character) => {
      if (character === '>' && this.#recent.endsWith(`</${this.#name}>`)) this.#state = 'text';
    },
  };

  #markup(character: string): void {
    if (/[a-z/]/i.test(character)) {
      this.#state = 'tag name';
      this.#name = character.toLowerCase();
    } else if (character === '!' || character === '?') {
      this.#state = 'comment';
      this.#value = '';
    } else if (character !== '<') this.#state = 'text';
  }

  #inTag(character: string): void {
    if (character === '>') this.#endTag();
    else if (character === '=') {
      this.#state = 'before value';
      this.#value = '';
    } else if (/[\s/]/.test(character)) {
      if (this.#state === 'attribute name') this.#state = 'in tag';
    } else {
      this.#attribute = (this.#state === 'attribute name' ? this.#attribute : '') + character.toLowerCase();
      this.#state = 'attribute name';
    }
  }

  #beforeValue(character: string): void {
    if (character === '"') this.#state = 'double quoted';
    else if (character === "'") this.#state = 'single quoted';
    else if (character === '>') this.#endTag();
    else if (!/\s/.test(character)) this.#state = 'unquoted';
  }

  #quoted(character: string, quote: string): void {
    if (character === quote) {
      this.#state = 'in tag';
      this.#attribute = '';
    } else this.#value += character;
  }

  /** Outlook reads the content of a conditional comment (`<!--[if mso]>`) as HTML. */
  #comment(character: string): void {
    this.#value += character;
    if (character !== '>') return;
    const isDashed = this.#value.startsWith('--');
    if (!isDashed || this.#value.endsWith('-->') || /^--\[if[^>]*\]>$/.test(this.#value)) this.#state = 'text';
  }

  #endTag(): void {
    this.#attribute = '';
    this.#state = rawTexts.has(this.#name) ? 'raw text' : 'text';
  }
}
