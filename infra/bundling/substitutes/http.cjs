// In place of `import … from 'node:http'` (see `requiredHttp` in packages.ts).
module.exports = require('node:http');
