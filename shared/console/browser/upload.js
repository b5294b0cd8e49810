// @ts-check
// Sends a file in pieces that fit into one request of Lambda, one after the other, and repeats a piece that failed.
// Without this script the form sends a small file whole.
import { find, findAll, inputNamed } from './dom.js';
import { backoffMilliseconds, isTransient, pieceCount, pieceRange } from './requests.js';

const maxRepeats = 4;

/** The service refused the file, with its reason if it gave one. */
class Refusal extends Error {
  /** @param {string | null} reason */
  constructor(reason) {
    super('The upload was refused.');
    this.reason = reason;
  }
}

for (const form of findAll(document, 'form[data-upload]', HTMLFormElement)) uploadInPieces(form);

/** @param {HTMLFormElement} form */
function uploadInPieces(form) {
  const message = find(form, '[data-message]', HTMLElement);
  const bar = find(form, 'progress', HTMLProgressElement);
  const button = find(form, 'button', HTMLButtonElement);
  const pieceBytes = Number(form.dataset.pieceBytes);
  let isUploading = false;

  addEventListener('beforeunload', (event) => {
    if (isUploading) event.preventDefault();
  });

  form.addEventListener('submit', async (event) => {
    const file = inputNamed(form, 'file').files?.[0];
    if (!file) return;
    event.preventDefault();
    if (isUploading) return;
    isUploading = true;
    delete form.dataset.submitted;
    button.disabled = true;
    bar.hidden = false;
    bar.max = Math.max(file.size, 1);
    try {
      const page = await sendPieces(file);
      isUploading = false;
      location.assign(page);
    } catch (error) {
      isUploading = false;
      button.disabled = false;
      bar.hidden = true;
      message.textContent = (error instanceof Refusal ? error.reason : null) ?? form.dataset.broken ?? '';
    }
  });

  /**
   * @param {File} file
   * @returns {Promise<string>} the page of the import
   */
  async function sendPieces(file) {
    const announced = { filename: file.name, bytes: String(file.size) };
    const { page, piecesAction } = await sendPiece(form.action, file, 0, announced);
    bar.value = Math.min(pieceBytes, file.size);
    for (let piece = 1; piece < pieceCount(file.size, pieceBytes); piece += 1) {
      await sendPiece(piecesAction, file, piece, { piece: String(piece) });
      bar.value = Math.min((piece + 1) * pieceBytes, file.size);
    }
    return page;
  }

  /**
   * @param {string} action
   * @param {File} file
   * @param {number} piece
   * @param {Record<string, string>} fields
   * @returns {Promise<{ page: string, piecesAction: string }>}
   */
  async function sendPiece(action, file, piece, fields) {
    for (let repeats = 0; ; repeats += 1) {
      const body = new FormData();
      for (const input of findAll(form, 'input[type=hidden]', HTMLInputElement)) body.set(input.name, input.value);
      for (const [name, value] of Object.entries(fields)) body.set(name, value);
      body.set('script', 'yes');
      body.set('file', file.slice(...pieceRange(piece, pieceBytes)), 'piece');
      const answer = await fetch(action, { method: 'POST', body }).catch(() => null);
      if (answer?.ok) return answer.json();
      if (!isTransient(answer?.status ?? null) || repeats === maxRepeats) throw new Refusal(await reasonOf(answer));
      await new Promise((resolve) => setTimeout(resolve, backoffMilliseconds(repeats)));
    }
  }
}

/**
 * @param {Response | null} answer
 * @returns {Promise<string | null>}
 */
async function reasonOf(answer) {
  if (!answer?.headers.get('content-type')?.startsWith('application/json')) return null;
  return (await answer.json()).message;
}
