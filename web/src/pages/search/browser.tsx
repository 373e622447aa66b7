import '../../places/places.css'
