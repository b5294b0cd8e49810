// Without log lines of the services in the output. The logger reads these when it is imported, so this comes first.
process.env.POWERTOOLS_LOG_LEVEL ??= 'SILENT';
process.env.POWERTOOLS_SERVICE_NAME ??= 'mailroom';
