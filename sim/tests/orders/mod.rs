//! Orders through the doors of the world.

mod life;
