import { fileExtension } from './fileExtension.ts';

const fallback = 'application/octet-stream';

/**
 * What people attach, not all that exists: a media type (IANA's, or what mail clients use where none is registered)
 * and its extensions on each line, as in mime.types.
 */
const registry = `
  application/pdf pdf
  application/rtf rtf
  application/epub+zip epub
  application/postscript ps ai eps
  application/vnd.ms-xpsdocument xps
  application/msword doc dot
  application/vnd.ms-excel xls
  application/vnd.ms-powerpoint ppt pps
  application/vnd.ms-outlook msg
  application/vnd.ms-word.document.macroenabled.12 docm
  application/vnd.ms-excel.sheet.macroenabled.12 xlsm
  application/vnd.ms-excel.sheet.binary.macroenabled.12 xlsb
  application/vnd.ms-powerpoint.presentation.macroenabled.12 pptm
  application/vnd.visio vsd
  application/vnd.openxmlformats-officedocument.wordprocessingml.document docx
  application/vnd.openxmlformats-officedocument.wordprocessingml.template dotx
  application/vnd.openxmlformats-officedocument.spreadsheetml.sheet xlsx
  application/vnd.openxmlformats-officedocument.spreadsheetml.template xltx
  application/vnd.openxmlformats-officedocument.presentationml.presentation pptx
  application/vnd.openxmlformats-officedocument.presentationml.slideshow ppsx
  application/vnd.oasis.opendocument.text odt
  application/vnd.oasis.opendocument.spreadsheet ods
  application/vnd.oasis.opendocument.presentation odp
  application/vnd.oasis.opendocument.graphics odg
  application/vnd.apple.pages pages
  application/vnd.apple.numbers numbers
  application/vnd.apple.keynote key
  application/vnd.apple.pkpass pkpass
  text/plain txt log
  text/csv csv
  text/tab-separated-values tsv
  text/markdown md
  text/html html htm
  text/css css
  text/calendar ics
  text/vcard vcf
  application/xml xml
  application/json json
  application/geo+json geojson
  application/yaml yaml yml
  application/sql sql
  application/gpx+xml gpx
  application/wasm wasm
  application/vnd.google-earth.kml+xml kml
  application/vnd.google-earth.kmz kmz
  message/rfc822 eml
  application/pkcs7-mime p7m
  application/pkcs7-signature p7s
  application/pgp-signature asc sig
  image/png png
  image/jpeg jpg jpeg
  image/gif gif
  image/webp webp
  image/avif avif
  image/heic heic
  image/heif heif
  image/svg+xml svg
  image/bmp bmp
  image/tiff tif tiff
  image/vnd.microsoft.icon ico
  image/vnd.adobe.photoshop psd
  image/vnd.dwg dwg
  image/vnd.dxf dxf
  model/stl stl
  model/step step stp
  audio/mpeg mp3
  audio/mp4 m4a
  audio/wav wav
  audio/ogg oga ogg opus
  audio/aac aac
  audio/flac flac
  audio/midi mid
  audio/amr amr
  video/mp4 mp4
  video/x-m4v m4v
  video/quicktime mov
  video/webm webm
  video/mpeg mpeg mpg
  video/ogg ogv
  video/x-msvideo avi
  video/x-matroska mkv
  video/x-ms-wmv wmv
  application/zip zip
  application/gzip gz tgz
  application/x-tar tar
  application/x-bzip2 bz2
  application/x-xz xz
  application/zstd zst
  application/x-7z-compressed 7z
  application/vnd.rar rar
  font/woff woff
  font/woff2 woff2
  font/ttf ttf
  font/otf otf
`;

const contentTypes: ReadonlyMap<string, string> = new Map(
  registry
    .trim()
    .split('\n')
    .map((line) => line.trim().split(' '))
    .flatMap(([type = fallback, ...extensions]) => extensions.map((extension) => [extension, type] as const)),
);

/** The media type that a file name's extension stands for. */
export function contentTypeOf(filename: string): string {
  return contentTypes.get(fileExtension(filename)) ?? fallback;
}
