-- Sessions of browsers were cookies, which browsers send to every port of the host. They are bearer secrets of one origin now:
-- no older session may stay valid, because other programs may have received its cookie.

DELETE FROM tokens WHERE purpose IN ('session', 'login');
