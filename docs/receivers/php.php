<?php
// A receiver of Mailroom's webhooks. Needs PHP 8 and nothing else.
//   WEBHOOK_SECRET=whsec_… php -S 127.0.0.1:3000 php.php
declare(strict_types=1);

const TOLERANCE_SECONDS = 300;

/** True when one of the signatures is ours and the time is not older than five minutes. $body is what arrived, untouched. */
function is_genuine(string $header, string $body, string $secret, ?int $now = null): bool
{
    $time = '';
    $signatures = [];
    foreach (explode(',', $header) as $pair) {
        [$name, $value] = array_pad(explode('=', trim($pair), 2), 2, '');
        if ($name === 't' && $time === '') {
            $time = $value;
        } elseif ($name === 'v1') {
            $signatures[] = $value;
        }
    }
    if (preg_match('/\A[0-9]+\z/', $time) !== 1 || ($now ?? time()) - (int) $time > TOLERANCE_SECONDS) {
        return false;
    }
    $expected = hash_hmac('sha256', $time . '.' . $body, $secret);
    $genuine = false;
    foreach ($signatures as $signature) {
        // hash_equals compares in constant time; every signature is compared, whichever fits.
        $genuine = hash_equals($expected, $signature) || $genuine;
    }
    return $genuine;
}

$body = file_get_contents('php://input');
if (!is_genuine($_SERVER['HTTP_SERVICE_SIGNATURE'] ?? '', $body, (string) getenv('WEBHOOK_SECRET'))) {
    http_response_code(400);
    exit;
}

// Answer 2xx within 15 seconds; put what takes longer on a queue of your own.
http_response_code(204);
$event = json_decode($body, true, 512, JSON_THROW_ON_ERROR);
// Events come at least once: remember the ids that you have dealt with, in your database.
error_log($event['type'] . ' ' . json_encode($event['data']));
